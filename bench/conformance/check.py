# Runs the two Python validators over the corpus and compares with the verdicts that the corpus records.
#
#   pip install strictyaml==1.7.3 pyyaml==6.0.3
#   git clone https://github.com/agentskills/agentskills && git clone https://github.com/anthropics/skills
#   python3 check.py agentskills/skills-ref/src skills/skills/skill-creator/scripts

import base64
import json
import sys
import tempfile
from pathlib import Path

sys.path[:0] = sys.argv[1:]
import quick_validate
from skills_ref import validator


def verdict_of(validate, directory):
    """Returns what a validator says: `accepts`, `crash`, or the number of problems."""
    try:
        return validate(directory) or "accepts"
    except Exception:
        return "crash"


corpus = json.loads((Path(__file__).parents[2] / "packages/testing/corpus/format.json").read_text("utf-8"))
different = []
for case in corpus["cases"]:
    content = base64.b64decode(case["base64"]) if "base64" in case else case["text"].encode()
    with tempfile.TemporaryDirectory() as root:
        directory = Path(root) / case["directory"]
        directory.mkdir(parents=True)
        (directory / "SKILL.md").write_bytes(content)
        reference = verdict_of(lambda path: len(validator.validate(path)), directory)
        packaging = verdict_of(lambda path: 0 if quick_validate.validate_skill(path)[0] else "refuses", directory)
    recorded = case["validators"]["skills-ref"]
    expected = len(recorded) if isinstance(recorded, list) else recorded
    if (reference, packaging) != (expected, case["validators"]["quick_validate"]):
        different.append(f"{case['id']}: skills-ref {reference}, quick_validate {packaging}")
print("\n".join([*different, f"{len(corpus['cases'])} files, {len(different)} with other verdicts than recorded."]))
sys.exit(1 if different else 0)
