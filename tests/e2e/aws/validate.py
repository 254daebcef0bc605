"""Checks create documents against AWS's own service models, as botocore ships them.

botocore's validator knows names, types, required members and least lengths. It does not know enumerations, greatest
lengths and ranges: those are walked here, from the same model. What the model says in its texts only (strategies of
Auto Scaling are plain strings in it), and the few rules that tie two parts together, are written here; each documented
value must occur in the model's own text. Nothing is sent anywhere.

    validate.py FOLDER…       every file below each folder
    validate.py --self-test   every rule refuses a document made bad for it
"""

import base64
import binascii
import copy
import json
import pathlib
import sys

import botocore
import botocore.session
from botocore.validate import ParamValidator

# Folder of a document -> service, operation.
OPERATIONS = {
    "auto-scaling-group": ("autoscaling", "CreateAutoScalingGroup"),
    "launch-template": ("ec2", "CreateLaunchTemplate"),
    "placement-group": ("ec2", "CreatePlacementGroup"),
}
USER_DATA_BYTES = 16 * 1024
TEMPLATE_NAME = range(3, 128 + 1)
# Strings with a closed set of values, by the member's name; the model has the sets in its documentation only.
DOCUMENTED = {
    "OnDemandAllocationStrategy": ("prioritized", "lowest-price"),
    "SpotAllocationStrategy": (
        "price-capacity-optimized",
        "capacity-optimized",
        "capacity-optimized-prioritized",
        "lowest-price",
    ),
}


class Referee:
    def __init__(self):
        session = botocore.session.get_session()
        models = {service: session.get_service_model(service) for service, _ in OPERATIONS.values()}
        self.shapes = {
            folder: models[service].operation_model(operation).input_shape
            for folder, (service, operation) in OPERATIONS.items()
        }
        self.values = 0  # leaves compared with the model

    def check(self, folder, body):
        """What is wrong with one document, a line each."""
        shape = self.shapes[folder]
        report = ParamValidator().validate(body, shape)
        faults = report.generate_report().splitlines() if report.has_errors() else []
        self.walk(body, shape, "", faults)
        faults += (self.template if folder == "launch-template" else self.nothing)(body)
        faults += (self.group if folder == "auto-scaling-group" else self.nothing)(body)
        return faults

    def walk(self, value, shape, path, faults):
        if shape.type_name == "structure" and isinstance(value, dict):
            for name, part in value.items():
                if name in DOCUMENTED and name in shape.members and part not in DOCUMENTED[name]:
                    faults.append(f"{path}/{name}: {part!r} is none of {', '.join(DOCUMENTED[name])}")
                if name in shape.members:
                    self.walk(part, shape.members[name], f"{path}/{name}", faults)
        elif shape.type_name == "list" and isinstance(value, list):
            self.bound(len(value), shape, path, "elements", faults)
            for index, part in enumerate(value):
                self.walk(part, shape.member, f"{path}/{index}", faults)
        elif shape.type_name == "map" and isinstance(value, dict):
            for name, part in value.items():
                self.walk(part, shape.value, f"{path}/{name}", faults)
        else:
            self.values += 1
            if shape.type_name == "string" and isinstance(value, str):
                if shape.enum and value not in shape.enum:
                    faults.append(f"{path}: {value!r} is none of {', '.join(shape.enum)}")
                self.bound(len(value), shape, path, "characters", faults)
            elif shape.type_name in ("integer", "long") and type(value) is int:
                self.bound(value, shape, path, "", faults)

    @staticmethod
    def bound(number, shape, path, of, faults):
        most = shape.metadata.get("max")
        if most is not None and number > most:
            faults.append(f"{path}: {number} {of} is more than {most}".replace("  ", " "))

    @staticmethod
    def nothing(_body):
        return []

    @staticmethod
    def template(body):
        data = body.get("LaunchTemplateData", {})
        if not isinstance(data, dict):
            return []
        faults = []
        if len(str(body.get("LaunchTemplateName", ""))) not in TEMPLATE_NAME:
            faults.append("/LaunchTemplateName: has not 3 to 128 characters")
        if "SecurityGroupIds" in data and "NetworkInterfaces" in data:
            faults.append("/LaunchTemplateData: SecurityGroupIds beside NetworkInterfaces is refused by EC2")
        try:
            text = base64.b64decode(data.get("UserData", ""), validate=True)
            if len(text) > USER_DATA_BYTES:
                faults.append(f"/LaunchTemplateData/UserData: {len(text)} bytes are more than {USER_DATA_BYTES}")
        except (binascii.Error, TypeError, ValueError):
            faults.append("/LaunchTemplateData/UserData: is not base64")
        cards = [
            (one.get("NetworkCardIndex", 0), one.get("DeviceIndex"))
            for one in data.get("NetworkInterfaces", [])
            if isinstance(one, dict)
        ]
        if len(set(cards)) != len(cards):
            faults.append("/LaunchTemplateData/NetworkInterfaces: a device index is used twice on a card")
        if cards and (0, 0) not in cards:
            faults.append("/LaunchTemplateData/NetworkInterfaces: none is device 0 of card 0")
        return faults

    @staticmethod
    def group(body):
        faults = []
        least, most = body.get("MinSize"), body.get("MaxSize")
        wanted = body.get("DesiredCapacity", least)
        if all(isinstance(size, int) for size in (least, wanted, most)) and not least <= wanted <= most:
            faults.append(f"/: sizes are not in order: {least}, {wanted}, {most}")
        if ":" in str(body.get("AutoScalingGroupName", "")):
            faults.append("/AutoScalingGroupName: has a colon")
        keys = [tag.get("Key") for tag in body.get("Tags", []) if isinstance(tag, dict)]
        if len(set(keys)) != len(keys):
            faults.append("/Tags: a key is there twice")
        if len(keys) > 50:
            faults.append(f"/Tags: {len(keys)} tags are more than 50")
        return faults

    def folder(self, root):
        """Checks all documents below a folder; gives their number and the faults, each with its file."""
        documents, faults = {}, []
        for path in sorted(root.rglob("*.json")):
            if path.name == "manifest.lock.json":
                continue
            kind = path.parent.name
            if kind not in OPERATIONS:
                faults.append(f"{path}: {kind} is no folder of AWS documents")
                continue
            try:
                body = json.loads(path.read_text(encoding="utf-8"))
            except ValueError as error:
                faults.append(f"{path}: is not JSON: {error}")
                continue
            documents[(path.parent.parent, kind, path.stem)] = body
            faults += [f"{path}: {fault}" for fault in self.check(kind, body)]
        faults += references(documents)
        return documents, faults


def references(documents):
    """A group's template and placement group are documents beside it (a placement group of others may not be)."""
    faults = []
    for (root, kind, name), body in documents.items():
        if kind != "auto-scaling-group":
            continue
        policy = body.get("MixedInstancesPolicy", {})
        template = policy.get("LaunchTemplate", {}).get("LaunchTemplateSpecification", {}).get("LaunchTemplateName")
        if (root, "launch-template", template) not in documents:
            faults.append(f"{root}/{kind}/{name}.json: its launch template {template!r} is not there")
        placement = body.get("PlacementGroup")
        if placement == name and (root, "placement-group", placement) not in documents:
            faults.append(f"{root}/{kind}/{name}.json: its placement group {placement!r} is not there")
    return faults


GOOD = {
    "auto-scaling-group": {
        "AutoScalingGroupName": "a",
        "MinSize": 0,
        "MaxSize": 2,
        "MixedInstancesPolicy": {
            "LaunchTemplate": {
                "LaunchTemplateSpecification": {"LaunchTemplateName": "abc", "Version": "$Latest"},
                "Overrides": [{"InstanceType": "p4d.24xlarge"}],
            },
            "InstancesDistribution": {"SpotAllocationStrategy": "price-capacity-optimized", "SpotMaxPrice": "1.0"},
        },
        "DeletionProtection": "none",
        "VPCZoneIdentifier": "subnet-1",
        "Tags": [{"Key": "k", "Value": "v", "PropagateAtLaunch": True}],
    },
    "launch-template": {
        "LaunchTemplateName": "abc",
        "LaunchTemplateData": {
            "ImageId": "ami-1",
            "InstanceType": "p4d.24xlarge",
            "MetadataOptions": {"HttpTokens": "required"},
            "NetworkInterfaces": [{"DeviceIndex": 0, "NetworkCardIndex": 0}, {"DeviceIndex": 1, "NetworkCardIndex": 1}],
            "UserData": "aGVsbG8=",
        },
        "TagSpecifications": [{"ResourceType": "launch-template", "Tags": []}],
    },
    "placement-group": {"GroupName": "a", "Strategy": "cluster"},
}
GONE = object()
# Folder, path, the bad value, a part of what must be said.
BAD = [
    ("auto-scaling-group", "AutoScalingGroupName", GONE, "Missing required parameter"),
    ("auto-scaling-group", "MaxSize", GONE, "Missing required parameter"),
    ("auto-scaling-group", "MinSize", "0", "Invalid type for parameter MinSize"),
    ("auto-scaling-group", "MaxSizes", 1, "Unknown parameter"),
    ("auto-scaling-group", "MinSize", 3, "not in order"),
    ("auto-scaling-group", "DesiredCapacity", 9, "not in order"),
    ("auto-scaling-group", "AutoScalingGroupName", "a:b", "colon"),
    ("auto-scaling-group", "AutoScalingGroupName", "a" * 256, "more than 255"),
    ("auto-scaling-group", "AutoScalingGroupName", "", "Invalid length"),
    ("auto-scaling-group", "DeletionProtection", "yes", "is none of"),
    ("auto-scaling-group", "CapacityRebalance", "false", "Invalid type"),
    ("auto-scaling-group", "Tags.0.Key", "k" * 129, "more than 128"),
    ("auto-scaling-group", "Tags.0.Value", "v" * 257, "more than 256"),
    ("auto-scaling-group", "Tags.0.Propagate", True, "Unknown parameter"),
    ("auto-scaling-group", "Tags", [{"Key": "k"}, {"Key": "k"}], "twice"),
    ("auto-scaling-group", "Tags", [{"Key": str(n)} for n in range(51)], "more than 50"),
    ("auto-scaling-group", "MixedInstancesPolicy.InstancesDistribution.SpotMaxPrice", 1.0, "Invalid type"),
    ("auto-scaling-group", "MixedInstancesPolicy.InstancesDistribution.SpotMaxPrices", "1", "Unknown parameter"),
    ("auto-scaling-group", "MixedInstancesPolicy.InstancesDistribution.SpotAllocationStrategy", "cheap", "is none of"),
    ("auto-scaling-group", "MixedInstancesPolicy.InstancesDistribution.OnDemandAllocationStrategy", "x", "is none of"),
    ("auto-scaling-group", "MixedInstancesPolicy.InstancesDistribution.SpotMaxPrice", "1" * 256, "more than 255"),
    ("auto-scaling-group", "MixedInstancesPolicy.LaunchTemplate.Overrides.0.WeightedCapacity", 8, "Invalid type"),
    ("launch-template", "LaunchTemplateData", GONE, "Missing required parameter"),
    ("launch-template", "LaunchTemplateName", "ab", "3 to 128"),
    ("launch-template", "LaunchTemplateName", "a" * 129, "3 to 128"),
    ("launch-template", "LaunchTemplateData.InstanceType", "p4d.25xlarge", "is none of"),
    ("launch-template", "LaunchTemplateData.MetadataOptions.HttpTokens", "must", "is none of"),
    ("launch-template", "LaunchTemplateData.MetadataOptions.HttpPutResponseHopLimit", "2", "Invalid type"),
    ("launch-template", "LaunchTemplateData.SecurityGroupIds", ["sg-1"], "beside NetworkInterfaces"),
    ("launch-template", "LaunchTemplateData.SecurityGroups", "sg-1", "Invalid type"),
    ("launch-template", "LaunchTemplateData.UserData", "hello!", "is not base64"),
    ("launch-template", "LaunchTemplateData.UserData", "aGkh" * 5462, "bytes are more than"),
    ("launch-template", "LaunchTemplateData.NetworkInterfaces.1.NetworkCardIndex", 0, None),
    ("launch-template", "LaunchTemplateData.NetworkInterfaces.1.DeviceIndex", 1.5, "Invalid type"),
    ("launch-template", "LaunchTemplateData.NetworkInterfaces.0.NetworkCardIndex", 1, "none is device 0"),
    ("launch-template", "LaunchTemplateData.NetworkInterfaces", [{"DeviceIndex": 0}] * 2, "used twice"),
    ("launch-template", "TagSpecifications.0.ResourceType", "template", "is none of"),
    ("placement-group", "Strategy", "clustered", "is none of"),
    ("placement-group", "Name", "a", "Unknown parameter"),
]


def changed(body, path, value):
    body = copy.deepcopy(body)
    *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    at = body
    for part in way:
        at = at[part]
    if value is GONE:
        del at[last]
    else:
        at[last] = value
    return body


def self_test(referee):
    wrong = []
    for folder, body in GOOD.items():
        wrong += [f"a good {folder} is refused: {fault}" for fault in referee.check(folder, body)]
    refused = passed = 0
    for folder, path, value, wanted in BAD:
        faults = referee.check(folder, changed(GOOD[folder], path, value))
        if wanted is None:  # a harmless change: two devices on one card
            passed += 1
            wrong += [f"a good change of {path} is refused: {fault}" for fault in faults]
            continue
        refused += 1
        if not any(wanted in fault for fault in faults):
            wrong.append(f"a bad {folder} passes: {path} = {str(value)[:40]!r}, said {faults}")
    alone = {("x", "auto-scaling-group", "a"): GOOD["auto-scaling-group"]}
    if not references(alone):
        wrong.append("a group without its launch template passes")
    both = dict(alone)
    both[("x", "launch-template", "abc")] = GOOD["launch-template"]
    wrong += [f"a group beside its template is refused: {fault}" for fault in references(both)]
    members = referee.shapes["auto-scaling-group"].members["MixedInstancesPolicy"].members["InstancesDistribution"].members
    for name, values in DOCUMENTED.items():
        wrong += [f"{name}: the model does not document {v!r}" for v in values if v not in members[name].documentation]
    for line in wrong:
        print(f"self-test: {line}", file=sys.stderr)
    print(f"self-test: {len(GOOD) + passed + 1} good and {refused + 1} bad documents, {len(wrong)} judged wrongly")
    return 1 if wrong else 0


def main(arguments):
    referee = Referee()
    if arguments == ["--self-test"]:
        return self_test(referee)
    if not arguments or any(argument.startswith("-") for argument in arguments):
        print("usage: validate.py FOLDER… | --self-test", file=sys.stderr)
        return 2
    count, wrong = 0, []
    for argument in arguments:
        documents, faults = referee.folder(pathlib.Path(argument))
        if not documents:
            faults.append(f"{argument}: no AWS documents below this folder")
        count += len(documents)
        wrong += faults
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"{count} documents, {referee.values} values, {len(wrong)} faults by botocore {botocore.__version__}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
