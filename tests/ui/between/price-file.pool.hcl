#~ alone
#~ PW4401
#~ PW4408
fleet {
  name   = "prices"
  prices = [price_book.mine, price_book.empty]
}

price_book "mine" { source = "broken.csv" }

price_book "empty" { source = "catalogue.csv" }
