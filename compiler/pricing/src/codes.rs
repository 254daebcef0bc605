//! Codes of prices: `PW44xx`.

poolwright_diagnostics::codes! {
    /// Codes of this crate.
    PRICE_FILE = "PW4401", "a price book's file is not at hand or has a row that cannot be read";
    PRICE_FORM = "PW4402", "a price is not money per GPU-hour or per node-hour above zero";
    PRICE_CURRENCY = "PW4403", "a price is in another currency than the fleet, and there is no rate";
    SPOT_ABOVE_ON_DEMAND = "PW4404", "a row's spot price is above its on-demand price, so the row is not used";
    NO_PRICE = "PW4405", "no price book has a price for what a lot buys";
    SPOT_RATIO = "PW4406", "a spot price is not between 10 % and 40 % of the on-demand price of the same type";
    EMPTY_FILE = "PW4408", "a price book's file has no price that can be used";
    CAP_BELOW_PRICE = "PW4410", "a step's `max_price` is below what each of its pools costs";
    NO_ORDER = "PW4409", "nothing says where a candidate stands in the order of its route";
}
