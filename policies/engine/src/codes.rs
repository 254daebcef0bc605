//! Codes of policies and tests: `PW80xx`.

poolwright_diagnostics::codes! {
    /// Codes of this crate.
    DENIED = "PW8001", "a policy denies this change";
    APPROVAL = "PW8002", "a policy asks for an approval";
    WARNED = "PW8003", "a policy warns";
    INFORMED = "PW8004", "a policy has something to say";
    NO_VERDICT = "PW8005", "a policy could not be evaluated, which counts as deny";
    POLICY_TEST_FAILED = "PW8010", "a policy's own test gives another verdict than it expects";
    TEST_FAILED = "PW8011", "a test's condition does not hold";
    TEST_ERROR = "PW8012", "a test's condition could not be evaluated";
    UNEXPECTED = "PW8013", "a test expects other errors than there are";
    CHECK_FAILED = "PW8020", "what a `check` asserts does not hold";
    CONDITION_FAILED = "PW8021", "a precondition or postcondition of a block does not hold";
    CONDITION_ERROR = "PW8022", "a condition could not be evaluated";
}
