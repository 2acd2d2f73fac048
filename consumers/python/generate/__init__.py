"""Writes the typed part of the client from `contracts/schemas/commands.json`, and from nothing else.

| module | answers |
| --- | --- |
| `catalogue` | what the file says: commands, their arguments in every form, their results |
| `types` | how a JSON Schema is written as Python types: `generated.py` |
| `methods` | how a command becomes a method: `_commands.py` and `_async_commands.py` |
| `__main__` | writes the files, or says which of them are out of date (`--check`) |
"""
