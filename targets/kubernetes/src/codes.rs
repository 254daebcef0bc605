//! The codes of this crate: what Kueue or Kubernetes cannot express.

poolwright_diagnostics::codes! {
    /// Every code that lowering to Kubernetes can give.
    KUEUE_VERSION = "PW5101", "a cluster's Kueue is of a version that nothing is known of";
    TOO_MANY = "PW5102", "an object of Kueue would have more entries than its version takes";
    CHECKS_TOGETHER = "PW5104", "a ClusterQueue would hand jobs to other clusters and make nodes at once";
    LEVEL_LABEL = "PW5105", "a level of a fabric cannot become a level of a Topology";
    TOPOLOGY_SELECT = "PW5106", "a pool with a topology has no label that recognises its nodes";
    CONCURRENT_ADMISSION = "PW5107", "a route would need Kueue's concurrent admission, which is not lowered";
    BAD_NAME = "PW5108", "a name is none that Kubernetes takes";
    DUPLICATE_TAINT = "PW5110", "a pool has two taints of one key and effect";
    NO_NAMESPACE = "PW5111", "a tenant has no namespace to submit from";
    FINE_WEIGHT = "PW5112", "a weight is finer than a quantity of Kubernetes";
    INCONSISTENT_LAYOUT = "PW5113", "the layout names a block that the fleet does not have";
    LONG_DESCRIPTION = "PW5114", "a description is longer than Kubernetes takes";
    TOO_LARGE = "PW5115", "a quota is greater than Kubernetes can count";
}
