private import Glibc
private import SplitcapCLI

exit(run(arguments: Array(CommandLine.arguments.dropFirst())))
