//! Codes of this crate: `PW53xx`, what AWS cannot express.

poolwright_diagnostics::codes! {
    /// Every code of this crate.
    TARGET_LACKS = "PW5301", "an AWS target lacks an attribute that its node groups need";
    NO_ZONE = "PW5303", "a node group has no zone to launch in";
    PLACEMENT_ZONES = "PW5304", "a cluster placement group would span several zones";
    MAX_PRICE_UNIT = "PW5306", "a bid cap cannot be written as US dollars per node-hour";
    ALLOCATION_TIER = "PW5307", "an allocation that exists only for spot is set on other capacity";
    TIER_NOT_SOLD = "PW5308", "AWS does not sell capacity of this tier's kind";
    INSTANCE_TYPES = "PW5309", "an Auto Scaling group has no instance type or more than it may have";
    USER_DATA = "PW5310", "a user data template does not render";
    USER_DATA_SIZE = "PW5311", "user data is larger than EC2 takes";
    NAME = "PW5312", "a name is not one that AWS takes";
    TAGS = "PW5313", "an object would have a tag that AWS refuses, or too many";
    FABRIC_KIND = "PW5314", "AWS has no fabric of this kind";
    EFA_TYPE = "PW5315", "an instance type in an EFA fabric has no EFA interfaces, or none that are known";
    EFA_RAILS = "PW5316", "a fabric's rails do not fit the EFA interfaces of its instance types";
    EFA_SECURITY_GROUP = "PW5317", "an EFA fabric has no security group that lets its hosts reach each other";
    GROUPS_KIND = "PW5318", "an AWS target is asked for groups of another cloud";
    NOBODY_SCALES = "PW5320", "nobody would change the size of an elastic node group";
    ZONE_REBALANCE = "PW5321", "a group over several zones must not be rebalanced while jobs run";
    TAINT_KEY = "PW5322", "two taints share a key, and the autoscaler can be told only one";
    NODE_GROUP = "PW5323", "a node group of the layout names a pool, lot, tier or zone that the fleet does not have";
}
