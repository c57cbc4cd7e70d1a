#!/usr/bin/env node
// The command line. `start` prepares the program first; every other command needs what a start has installed.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const args = process.argv.slice(2)
/** The Node that the packages carry; without that, as in an image, this one if it is new enough to run the sources. */
const isNewEnough = Number.parseInt(process.versions.node, 10) >= 24
const node = [join(root, 'node_modules', '.bin', 'node'), ...(isNewEnough ? [process.execPath] : [])].find(existsSync)
/** An image has the bundle instead of the sources. */
const commands = [join('cli', 'main.ts'), join('dist', 'image', 'cli.js')].map(file => join(root, 'gateway', file))
const isInstalled = existsSync(join(root, 'node_modules', 'zod'))

/** Compiled code is kept from run to run, from the very first module on. */
const env = { NODE_COMPILE_CACHE: join(root, '.cache', 'compile'), ...process.env }
/** A command that reads a whole log makes much garbage: memory that grows for it would be most of what it takes. */
const FRUGAL = ['--max-semi-space-size=8', '--heap-growing-percent=30']

const run = (program, programArgs) => {
  const child = spawn(program, programArgs, { stdio: 'inherit', env })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', error => {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)))
}

if (args[0] === 'start' && args.length === 1) run(process.execPath, [join(root, 'scripts', 'start.mjs')])
else if (node !== undefined && isInstalled) run(node, [...FRUGAL, commands.find(existsSync), ...args])
else {
  process.stderr.write('Parley is not installed yet: run npm start once.\n')
  process.exit(1)
}
