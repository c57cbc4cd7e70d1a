import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const biome = join(root, 'node_modules/.bin/biome')

/** Lint output for a file at `path` with this one import, in a copy of the rules alone. */
const lint = (path: string, specifier: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-lint-'))
  try {
    copyFileSync(join(root, 'biome.json'), join(folder, 'biome.json'))
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), `import { a } from '${specifier}'\nexport const b = a\n`)
    const run = spawnSync(biome, ['lint', '--vcs-enabled=false', path], { cwd: folder, encoding: 'utf8' })
    return run.stdout + run.stderr
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const FORBIDDEN: readonly [string, string][] = [
  ['schemas/a.ts', '#domain/b.ts'],
  ['schemas/a.ts', 'node:fs'],
  ['domain/a.ts', '#commands/port.ts'],
  ['domain/flow/a.ts', '../../commands/port.ts'],
  ['domain/a.ts', 'node:crypto'],
  ['commands/a.ts', '#projections/port.ts'],
  ['projections/a.ts', '#commands/port.ts'],
  ['realtime/a.ts', '#gateway/server.ts'],
  ['realtime/a.ts', '#runtime/port.ts'],
  ['runtime/a.ts', '#gateway/port.ts'],
  ['runtime/channel/a.ts', 'fastify'],
  ['web/a.tsx', '#commands/port.ts'],
  ['web/features/a.tsx', '../../projections/port.ts'],
  ['web/features/designer/chrome/a.tsx', '../../../../commands/port.ts'],
  ['gateway/a.ts', '#web/main.tsx'],
]
const ALLOWED: readonly [string, string][] = [
  ['domain/a.ts', '#schemas/event.ts'],
  ['commands/a.ts', '#domain/behaviour.ts'],
  ['projections/a.ts', '#commands/store/port.ts'],
  ['realtime/a.ts', '#projections/port.ts'],
  ['runtime/a.ts', '#realtime/port.ts'],
  ['gateway/a.ts', '#runtime/port.ts'],
  ['web/a.tsx', '#domain/behaviour.ts'],
  ['web/features/designer/chrome/a.tsx', '../commands/commands.ts'],
]

describe('the folder table', () => {
  test.each(FORBIDDEN)('%s may not import %s', (path, specifier) => {
    expect(lint(path, specifier)).toContain('noRestrictedImports')
  })

  test.each(ALLOWED)('%s may import %s', (path, specifier) => {
    expect(lint(path, specifier)).not.toContain('noRestrictedImports')
  })

  test('no file escapes lint as a whole', () => {
    const files = globSync('{schemas,domain,commands,projections,realtime,runtime,gateway,web,test}/**/*.{ts,tsx}', {
      cwd: root,
    })
    const wholeFile = /biome-ignore-(all|start)|@ts-(ignore|nocheck)/
    const escaping = files.filter(
      file => !file.startsWith('test/lint/') && wholeFile.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(escaping).toEqual([])
  })
})
