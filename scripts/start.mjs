// `npm start`: prepares what is missing, tells so, and runs the gateway. Plain JavaScript: it starts on any Node from 20.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildGateway, buildWeb, GATEWAY_OPTIONS } from './build.mjs'
import { installPackages } from './install.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const tell = line => process.stdout.write(`${line}\n`)

const node = installPackages(root, tell)
await buildWeb(root, node, tell)
const folder = buildGateway(root, node, tell)

// Compiled code goes with its build. Named here, the first module is taken from there as well: 20 MB less to hold.
const env = { NODE_COMPILE_CACHE: join(folder, 'cache'), ...process.env }
const gateway = spawn(node, [...GATEWAY_OPTIONS, join(folder, 'main.js'), ...process.argv.slice(2)], {
  stdio: 'inherit',
  env,
})
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => gateway.kill(signal))
gateway.on('error', error => {
  tell(`The gateway could not be started: ${error.message}`)
  process.exit(1)
})
gateway.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)))
