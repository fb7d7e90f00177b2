process.exitCode = 0
