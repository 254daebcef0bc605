//! Codes of this target: `PW52xx`, what Slurm cannot express or would get wrong without a word.

poolwright_diagnostics::codes! {
    /// Codes of this crate.
    VERSION = "PW5201", "the Slurm version is outside of what this target knows";
    UNKNOWN_KEY = "PW5202", "something needs a setting that the target's Slurm version does not know";
    BAD_NAME = "PW5203", "a name cannot be written in Slurm's files";
    NAME_CLASH = "PW5207", "two objects of one Slurm cluster have the same name";
    TWO_DEFAULTS = "PW5208", "two partitions of one Slurm cluster are the default";
    NO_PRICE = "PW5209", "a partition's billing weight has no price to come from";
    PREEMPTION = "PW5210", "the time in which a class cannot be evicted does not hold on this Slurm cluster";
    TOPOLOGY = "PW5211", "a fabric's switches are no tree of this Slurm cluster's hosts";
    TOPOLOGY_LAYOUT = "PW5212", "a fabric's layout cannot be had on this Slurm cluster";
    NODE_SHAPE = "PW5213", "the shape of a node is incomplete or contradicts itself";
    DEVICES = "PW5214", "the device files of a lot's accelerators are not known or do not add up";
    LEVEL = "PW5215", "a class asks for a closeness that Slurm cannot keep or keeps only for a while";
    BUDGET = "PW5216", "a tenant's budget cannot be held by Slurm";
    DRAIN = "PW5217", "a queue is to be drained, and files cannot end running jobs";
    DANGLING = "PW5218", "an object of a Slurm cluster names something that is not there";
    UNORDERED = "PW5220", "pools of different price stand in one Slurm partition, which does not order them";
    SEVERAL_FABRICS = "PW5221", "one Slurm cluster has hosts of fabrics that nothing joins";
    TOO_GREAT = "PW5222", "a number is greater than Slurm keeps";
}
