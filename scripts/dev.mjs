// `npm run dev`: the gateway, restarted after each change of its code, and the console from Vite with hot reload, under one
// address. Plain JavaScript: it starts on any Node from 20.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPackages } from './install.mjs'
import { freePort, viteAnswers, viteArguments } from './vite.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const tell = line => process.stdout.write(`${line}\n`)
const node = installPackages(root, tell)

/** An editor writes several files at once; one restart serves all of them, ms. */
const SETTLE_MS = 100

const host = process.env.HOST || '127.0.0.1'
const port = Number(process.env.PORT || 3000) || (await freePort())
const gatewayPort = await freePort()
const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`

const running = new Set()
let exitCode

/** Signals each process once: a second signal would end the gateway before it has drained. */
const stop = code => {
  exitCode ??= code
  for (const child of running) child.kill('SIGTERM')
  if (running.size === 0) process.exit(exitCode)
}

/** Children have their own process groups: Ctrl-C reaches this script only, which signals each child once. */
const run = (args, env, ended) => {
  const child = spawn(node, args, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { NODE_COMPILE_CACHE: join(root, '.cache', 'compile'), ...process.env, ...env },
  })
  running.add(child)
  child.on('close', code => {
    running.delete(child)
    if (exitCode === undefined) ended(code)
    else if (running.size === 0) process.exit(exitCode)
  })
  return child
}

const runVite = () =>
  run(viteArguments(root, host, port), { PARLEY_GATEWAY: `http://127.0.0.1:${gatewayPort}` }, () => {
    tell('Vite ended, see above.')
    stop(1)
  })

/** Not `node --watch`: it posts messages through the ports of worker threads, which the gateway takes for answers. */
const watchGateway = () => {
  // Without its folder of built files the gateway warns, and its own address in the log would be taken for the console's.
  mkdirSync(join(root, 'web', 'dist'), { recursive: true })
  const env = {
    HOST: '127.0.0.1',
    PORT: String(gatewayPort),
    PUBLIC_URL: process.env.PUBLIC_URL || address,
    LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
  }
  let gateway
  let isRestarting = false
  const start = () => {
    isRestarting = false
    gateway = run([join(root, 'gateway', 'main.ts')], env, code => {
      gateway = undefined
      if (isRestarting) start()
      else tell(`The gateway ended with code ${code}. It starts again after the next change.`)
    })
  }
  const restart = file => {
    if (exitCode !== undefined || isRestarting) return
    tell(`${file} changed: restarting the gateway`)
    isRestarting = true
    if (gateway === undefined) start()
    else gateway.kill('SIGTERM')
  }
  start()
  let timer
  for (const folder of gatewayFolders())
    watch(join(root, folder), { recursive: true }, (_event, file) => {
      if (file === null || !/\.(ts|json)$/.test(file) || /\.test\.ts$/.test(file)) return
      clearTimeout(timer)
      timer = setTimeout(restart, SETTLE_MS, join(folder, file))
    })
}

/** The code of the gateway: all folders that code imports by name, without the console and the tests. */
function gatewayFolders() {
  const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return Object.keys(imports)
    .map(name => name.slice(1, -2))
    .filter(name => name !== 'web' && name !== 'test')
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(0))
runVite()
// The gateway announces the address when it is ready, so Vite has to answer before.
await viteAnswers(address, () => exitCode !== undefined)
if (exitCode === undefined) watchGateway()
