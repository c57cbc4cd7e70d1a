// Preloaded into gateways under test: standard input ends with the process that started them, and they end with it.
process.stdin.resume().on('end', () => process.kill(process.pid, 'SIGKILL'))
process.stdin.unref?.()
