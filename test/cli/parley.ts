import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { type Run, WrongUsage } from '#gateway/cli/command.ts'
import { verify } from '#gateway/cli/verify.ts'
import { readSettings } from '#gateway/settings.ts'
import { openParley } from '../api/open-parley.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Fields of a user. */
export const PERSON = {
  username: 'bia',
  firstname: 'Beatriz',
  lastname: 'Souza',
  email: 'bia@example.com',
  password: 'Parley-2026!',
}

export interface Ran {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

/** Runs `parley …` in a separate process, as users do. */
export const parley = (words: readonly string[], env: Record<string, string>): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(ROOT, 'bin', 'parley.mjs'), ...words], {
      env: { PATH: process.env.PATH ?? '', ...env },
    })
    let output = ''
    let errors = ''
    child.stdout.on('data', chunk => {
      output += chunk
    })
    child.stderr.on('data', chunk => {
      errors += chunk
    })
    child.on('error', reject)
    child.on('close', code => resolve({ code, output, errors }))
  })

/** Runs one command in this process, which takes half a second less. It throws nothing: exit code 1 is an error. */
export const runHere = async (
  command: Run,
  given: Omit<Parameters<Run>[0], 'settings' | 'environment'>,
  environment: Readonly<Record<string, string>> = {},
): Promise<Ran> => {
  let [output, errors] = ['', '']
  const written = vi.spyOn(process.stdout, 'write').mockImplementation(text => {
    output += text
    return true
  })
  const warned = vi.spyOn(process.stderr, 'write').mockImplementation(text => {
    errors += text
    return true
  })
  try {
    const code = await command({ ...given, environment, settings: readSettings(environment) })
    return { code, output, errors }
  } catch (error) {
    errors += error instanceof Error ? error.message : String(error)
    return { code: error instanceof WrongUsage ? 2 : 1, output, errors }
  } finally {
    written.mockRestore()
    warned.mockRestore()
  }
}

/** `parley verify`, for tests of its findings. */
export const verifyHere = (folder: string, options: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  runHere(verify, { options, operands: [] }, { PARLEY_DATA: folder })

/** Folders of one test file, removed by `clear`. */
export class Folders {
  readonly #made: string[] = []

  /** A name for a folder that is not there. */
  next(): string {
    const parent = mkdtempSync(join(tmpdir(), 'parley-cli-'))
    this.#made.push(parent)
    return join(parent, 'data')
  }

  copyOf(folder: string): string {
    const copy = this.next()
    cpSync(folder, copy, { recursive: true, filter: source => !source.includes('projections') })
    return copy
  }

  clear(): void {
    for (const folder of this.#made) rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs a gateway with frequent seals and leaves its data; `sample` is an entity with five events. */
export const worked = async (folder: string): Promise<{ readonly sample: string }> => {
  const gateway = await openParley({ folder, env: { SEAL_EVENTS: '20' } })
  const admin = await gateway.signIn()
  const { id } = (await admin.post('/codesample', { name: 'first' })).body
  for (let revision = 1; revision < 5; revision++)
    await admin.patch(`/codesample/${id}`, { code: `${revision}` }, revision)
  for (let n = 0; n < 5; n++) await admin.post('/codesample', { name: `other ${n}` })
  await gateway.stop()
  return { sample: `codesample-${id}` }
}
