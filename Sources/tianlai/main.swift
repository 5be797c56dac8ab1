import CLI
import Glibc

exit(run(processArguments()))
