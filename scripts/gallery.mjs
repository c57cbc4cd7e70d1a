// `npm run gallery`: a page with every shared component in both themes, and every kind of field in each of its states.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPackages } from './install.mjs'
import { freePort, viteAnswers, viteArguments } from './vite.mjs'

const HOST = '127.0.0.1'
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const tell = line => process.stdout.write(`${line}\n`)
const node = installPackages(root, tell)

const port = Number(process.env.PORT) || (await freePort())
const address = `http://${HOST}:${port}`
let isOver = false
const vite = spawn(node, viteArguments(root, HOST, port), { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
vite.on('exit', code => {
  isOver = true
  process.exitCode = code ?? 0
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => vite.kill(signal))
await viteAnswers(address, () => isOver)
if (!isOver) tell(`The gallery is ready at ${address}/botadmin/gallery.html`)
