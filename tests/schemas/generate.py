"""JSON Schemas (draft 2020-12) of the objects that the Kubernetes target emits. See generate.sh."""

import argparse
import json
import pathlib
import shutil

import yaml

DRAFT = "https://json-schema.org/draft/2020-12/schema"

# Plural of the CRD's file name, and kind.
KUEUE_KINDS = {
    "admissionchecks": "AdmissionCheck",
    "clusterqueues": "ClusterQueue",
    "cohorts": "Cohort",
    "localqueues": "LocalQueue",
    "multikueueclusters": "MultiKueueCluster",
    "multikueueconfigs": "MultiKueueConfig",
    "provisioningrequestconfigs": "ProvisioningRequestConfig",
    "resourceflavors": "ResourceFlavor",
    "topologies": "Topology",
    "workloadpriorityclasses": "WorkloadPriorityClass",
}

# Folder, apiVersion and the name of the definition. The folder of the core group is `core`.
CORE_KINDS = {
    "Namespace": ("core", "v1", "io.k8s.api.core.v1.Namespace"),
    "PriorityClass": ("scheduling.k8s.io", "scheduling.k8s.io/v1", "io.k8s.api.scheduling.v1.PriorityClass"),
    "Role": ("rbac.authorization.k8s.io", "rbac.authorization.k8s.io/v1", "io.k8s.api.rbac.v1.Role"),
    "RoleBinding": ("rbac.authorization.k8s.io", "rbac.authorization.k8s.io/v1", "io.k8s.api.rbac.v1.RoleBinding"),
}

# What JSON Schema has under the same name and meaning.
KEPT = {
    "type", "enum", "pattern", "required", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems",
    "minProperties", "maxProperties", "multipleOf", "default",
}
INT_OR_STRING = [{"type": "integer"}, {"type": "string"}]
METADATA = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"


class Translation:
    """One schema on its way to JSON Schema, and the CEL rules that were met on the way."""

    def __init__(self, definitions):
        self.definitions = definitions
        self.rules = []

    def schema(self, source, path=""):
        if "$ref" in source:
            name = source["$ref"].rsplit("/", 1)[1]
            if name.endswith(".resource.Quantity"):
                return {"anyOf": INT_OR_STRING}
            return self.schema(self.definitions[name], path)
        for rule in source.get("x-kubernetes-validations", []):
            # A rule, or its message where the rule is long: what the schema no longer checks.
            self.rules.append((path or "/", " ".join(rule.get("message", rule["rule"]).split())))
        result = {key: value for key, value in source.items() if key in KEPT}
        if source.get("x-kubernetes-int-or-string") or source.get("format") == "int-or-string":
            result.pop("type", None)
            result["anyOf"] = INT_OR_STRING
        if source.get("format") == "int32":
            result.setdefault("minimum", -(2**31))
            result.setdefault("maximum", 2**31 - 1)
        if source.get("x-kubernetes-list-type") == "set":
            result["uniqueItems"] = True
        if "items" in source:
            result["items"] = self.schema(source["items"], f"{path}/*")
        if "properties" in source:
            result["properties"] = {
                name: self.schema(value, f"{path}/{name}") for name, value in source["properties"].items()
            }
            if not source.get("x-kubernetes-preserve-unknown-fields"):
                result["additionalProperties"] = False
        if isinstance(source.get("additionalProperties"), dict):
            result["additionalProperties"] = self.schema(source["additionalProperties"], f"{path}/*")
        return result


def whole(kind, api_version, body, metadata):
    """The schema of a manifest: its head is required, its status is nothing that anybody writes."""
    body["properties"].pop("status", None)
    body["properties"]["apiVersion"] = {"const": api_version}
    body["properties"]["kind"] = {"const": kind}
    body["properties"]["metadata"] = metadata
    body["required"] = sorted({"apiVersion", "kind", "metadata", *body.get("required", [])})
    return {"$schema": DRAFT, "title": f"{api_version} {kind}", **body}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("kueue", "kueue-version", "kubernetes", "kubernetes-version", "out"):
        parser.add_argument(f"--{option}", required=True)
    options = parser.parse_args()
    out = pathlib.Path(options.out)
    shutil.rmtree(out, ignore_errors=True)

    swagger = json.loads((pathlib.Path(options.kubernetes) / "api/openapi-spec/swagger.json").read_text())
    definitions = swagger["definitions"]
    metadata = Translation(definitions).schema(definitions[METADATA])
    metadata["required"] = ["name"]

    rules = {}

    def write(group, kind, schema):
        path = out / group / f"{kind}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(schema, indent=1, sort_keys=True) + "\n")

    for plural, kind in sorted(KUEUE_KINDS.items()):
        file = pathlib.Path(options.kueue) / f"config/components/crd/bases/kueue.x-k8s.io_{plural}.yaml"
        crd = yaml.safe_load(file.read_text())
        version = next(version for version in crd["spec"]["versions"] if version["name"] == "v1beta2")
        source = version["schema"]["openAPIV3Schema"]
        source["properties"].pop("status", None)
        translation = Translation(definitions)
        body = translation.schema(source)
        rules[kind] = translation.rules
        write("kueue.x-k8s.io", kind, whole(kind, "kueue.x-k8s.io/v1beta2", body, metadata))

    for kind, (group, api_version, name) in sorted(CORE_KINDS.items()):
        translation = Translation(definitions)
        write(group, kind, whole(kind, api_version, translation.schema(definitions[name]), metadata))

    lines = [
        "JSON Schemas of the objects that the Kubernetes target emits. Written by tests/schemas/generate.sh; not by hand.",
        "",
        f"kueue.x-k8s.io/*: from config/components/crd/bases of sigs.k8s.io/kueue {options.kueue_version},",
        "  version v1beta2 of each CustomResourceDefinition. Copyright The Kubernetes Authors. Apache-2.0.",
        f"all else, and metadata: from api/openapi-spec/swagger.json of k8s.io/kubernetes {options.kubernetes_version}.",
        "  Copyright The Kubernetes Authors. Apache-2.0.",
        "",
        "Changed: draft 2020-12; references resolved; descriptions and status left out; apiVersion and kind fixed,",
        "metadata.name required; a field that is not listed is refused; int-or-string is anyOf; int32 is a range;",
        "a list that is a set has uniqueItems. Dropped, since JSON Schema cannot say them, are these CEL rules:",
        "",
    ]
    for kind, found in sorted(rules.items()):
        lines += [f"  {kind} {path}: {rule}" for path, rule in found]
    (out / "NOTICE").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
