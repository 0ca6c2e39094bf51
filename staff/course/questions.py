"""An instructor's own questions for part 3, from a file that course.yaml names."""

from dataclasses import dataclass
from pathlib import Path

from staff.strict.reading import read_block
from staff.strict.schema import check

SCHEMA = Path(__file__).with_name("questions.schema.json")


@dataclass(frozen=True)
class Question:
    """A question with five choices."""

    text: str
    choices: tuple[str, ...]
    right: str  # the number of the right choice, from "1"
    why: str  # why this choice is right; students read this after they have answered


@dataclass(frozen=True)
class QuestionSet:
    """The questions to which ANSWER_1, ANSWER_2 and so on in lab.py are the answers."""

    file: Path
    about: str  # the text above the questions; may be empty
    questions: tuple[Question, ...]

    @property
    def answers(self) -> dict[str, str]:
        """The right answers.  The key is the name in lab.py that holds the student's
        answer.

        >>> folder = Path(__file__).parent.with_name("questions")
        >>> list(read_questions(folder / "second_set.yaml").answers)
        ['ANSWER_1', 'ANSWER_2', 'ANSWER_3', 'ANSWER_4']
        """
        return {
            f"ANSWER_{number}": question.right
            for number, question in enumerate(self.questions, 1)
        }


def read_questions(file: Path) -> QuestionSet:
    """Read the questions in a file.

    Raises BadFile, which names the file and the line, if the file cannot be used.
    """
    root = read_block(file)
    check(root, SCHEMA)
    questions = [
        Question(
            text=" ".join(entry["text"].split()),
            choices=tuple(" ".join(choice.split()) for choice in entry["choices"]),
            right=str(entry["right"]),
            why=" ".join(entry["why"].split()),
        )
        for entry in root["questions"]
    ]
    about = " ".join(root.get("about", "").split())
    return QuestionSet(file, about, tuple(questions))
