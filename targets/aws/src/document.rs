//! The kinds of documents that this target writes: service, name, folder and the field that names the object.

use serde_json::Value;

/// A kind of object on AWS that Poolwright makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// EC2 `CreateLaunchTemplate`.
    LaunchTemplate,
    /// EC2 `CreatePlacementGroup`.
    PlacementGroup,
    /// Auto Scaling `CreateAutoScalingGroup`.
    AutoScalingGroup,
}

impl Kind {
    /// All of them, in the order in which they must be created.
    pub const ALL: [Self; 3] = [Self::LaunchTemplate, Self::PlacementGroup, Self::AutoScalingGroup];

    /// The kind of a name as AWS spells it.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// As AWS spells it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::LaunchTemplate => "LaunchTemplate",
            Self::PlacementGroup => "PlacementGroup",
            Self::AutoScalingGroup => "AutoScalingGroup",
        }
    }

    /// The service's name in addresses.
    #[must_use]
    pub fn service(self) -> &'static str {
        match self {
            Self::LaunchTemplate | Self::PlacementGroup => "ec2",
            Self::AutoScalingGroup => "autoscaling",
        }
    }

    /// The folder of its files.
    #[must_use]
    pub fn folder(self) -> &'static str {
        match self {
            Self::LaunchTemplate => "launch-template",
            Self::PlacementGroup => "placement-group",
            Self::AutoScalingGroup => "auto-scaling-group",
        }
    }

    /// The field that holds its name.
    #[must_use]
    pub fn name_field(self) -> &'static str {
        match self {
            Self::LaunchTemplate => "LaunchTemplateName",
            Self::PlacementGroup => "GroupName",
            Self::AutoScalingGroup => "AutoScalingGroupName",
        }
    }

    /// Its own tags in a create document: a list of `{Key, Value, …}`.
    #[must_use]
    pub fn tags(self, body: &Value) -> &[Value] {
        let tags = match self {
            Self::AutoScalingGroup => body.get("Tags"),
            Self::LaunchTemplate | Self::PlacementGroup => body.pointer("/TagSpecifications/0/Tags"),
        };
        tags.and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }
}
