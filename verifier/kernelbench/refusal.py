"""The form in which these programs tell trl that they can't do what a request asks."""


class Refused(Exception):
    """An error that says what is wrong, and how to repair it."""

    def __init__(self, message, remedy=""):
        super().__init__(message)
        self.remedy = remedy

    def for_trl(self):
        """Returns the text that trl reads from a program's standard error."""
        return f"error: {self}\n  help: {self.remedy}" if self.remedy else f"error: {self}"
