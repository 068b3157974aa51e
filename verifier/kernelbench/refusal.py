"""How programs here say to trl that they can't do what is asked."""


class Refused(Exception):
    """What is wrong, and how to mend it."""

    def __init__(self, message, remedy=""):
        super().__init__(message)
        self.remedy = remedy

    def for_trl(self):
        """The text that trl reads from a program's standard error."""
        return f"error: {self}\n  help: {self.remedy}" if self.remedy else f"error: {self}"
