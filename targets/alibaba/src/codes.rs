//! Codes of this crate: `PW54xx`, what Alibaba Cloud cannot express.

poolwright_diagnostics::codes! {
    /// Every code of this crate.
    GROUPS_KIND = "PW5401", "an Alibaba target is asked for groups that it cannot make";
    CLUSTER_KIND = "PW5402", "an ACK node pool would belong to a cluster that is not Kubernetes";
    NO_ZONE = "PW5404", "a node pool has no zone to launch in";
    PLACEMENT = "PW5405", "ACK cannot place the nodes of a pool close to each other";
    FABRIC_KIND = "PW5406", "an ACK node pool cannot be joined by a fabric of this kind";
    MAX_PRICE_UNIT = "PW5408", "a bid cap cannot be written as money per node-hour";
    MAX_PRICE_CURRENCY = "PW5409", "a bid cap counts in the currency of the Alibaba account";
    ALLOCATION = "PW5410", "ACK has no allocation of this kind for this tier";
    ALLOCATION_NEAREST = "PW5411", "an allocation is written as the nearest that ACK has";
    TIER_NOT_SOLD = "PW5412", "Alibaba Cloud does not sell capacity of this tier's kind to a node pool";
    INSTANCE_TYPES = "PW5413", "a node pool has no instance type or more than it may have";
    USER_DATA = "PW5414", "an Alibaba target has user data, which ACK node pools do not need";
    NAME = "PW5415", "a name is not one that ACK takes";
    TAGS = "PW5416", "a node pool would have a tag that Alibaba Cloud refuses, or too many";
    SIZE = "PW5417", "a node pool has more nodes than ACK scales to";
    NOBODY_SCALES = "PW5418", "nobody would change the size of an elastic node pool";
    IDLE_AFTER = "PW5419", "ACK has one scale-down delay for a whole cluster";
    THREADS = "PW5420", "ACK cannot switch off threads";
    NODE_GROUP = "PW5421", "a node group of the layout names a pool, lot, tier or zone that the fleet does not have";
}
