import { globSync } from 'node:fs'
import { basename, posix } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, readSource, sourceFiles } from './source-graph.ts'

/** Parts of a file that tests look at directly; the list only shrinks. */
const LEFT = [
  'commands/store/embedded/prepare-folder.ts: networkName',
  'commands/upcasters/upcast.ts: UnknownEventVersion',
  'domain/brazil/boleto.ts: readBoleto',
  'domain/conversation/answer/near-text.ts: editDistance',
  'domain/flow/condition/condition.ts: isRuleHolding',
  'gateway/realtime/socket-limit.ts: MAX_PER_SOURCE',
  'schemas/api/route.ts: Route',
  'schemas/api/routes.ts: ROUTES',
  'schemas/check-entities.ts: placeErrors',
  'schemas/versioned.ts: isInVersionRoot',
  'web/app/preload-designer.ts: preloadWhenIdle',
  'web/entity/name-batch.ts: createNameBatch',
  'web/features/designer/canvas/hover-intent.ts: GRACE',
  'web/features/designer/canvas/virtualization/drawn-blocks.ts: MANY',
  'web/features/designer/canvas/virtualization/drawn-blocks.ts: IN_FRAME',
  'web/features/designer/canvas/virtualization/minimap-throttle.ts: CARRYING',
  'web/features/designer/canvas/virtualization/view-motion.ts: HURRY',
  'web/features/designer/canvas/virtualization/view-motion.ts: REST',
  'web/features/designer/history/day-window.ts: editDays',
  'web/features/designer/history/day-window.ts: windowAround',
  'web/features/designer/model/geometry.ts: facingSide',
  'web/features/designer/session/room/ack-socket.ts: isDocumentMessage',
  'web/features/designer/session/room/close-code.ts: pauseBefore',
]

const PROGRAM = '{schemas,domain,commands,projections,realtime,runtime,gateway,web}/**/*.{ts,tsx}'
const EXPORT = /^export (?:declare )?(?:async )?(?:const|function|class|interface|type|enum)\s+([\w$]+)/gm
const IMPORT =
  /(?:import|export)\s+(?:type\s+)?(?:[\w$]+\s*,?\s*)?(?:\{([^}]*)\}|\*(?:\s+as\s+\w+)?)?\s*from\s*'([^']+)'/g
/** Files that are loaded as a whole: by a call, a worker's address, or a bundler's pattern. */
const WHOLE = /(?:import\(|new URL\(|import\.meta\.glob(?:<[^(]*>)?\(|SOURCE = )\s*'([^']+)'/g

const pathOf = (file: string, specifier: string): string | undefined => {
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : undefined
}

const nameOf = (part: string): string =>
  (
    part
      .trim()
      .replace(/^type\s+/, '')
      .split(/\s+as\s+/)[0] ?? ''
  ).trim()

/** Tests and what is written for them. */
const TESTS = /(?:^test\/|\.test\.tsx?$|\/fixture\/|\/fixture\.ts$)/

/** Names of each file that `importers` import; `*` for a file that is loaded as a whole. */
const importedNames = (importers: (file: string) => boolean): ReadonlyMap<string, ReadonlySet<string>> => {
  const files = globSync(
    ['{schemas,domain,commands,projections,realtime,runtime,gateway,web,test,scripts}/**/*.{ts,tsx,mjs}'],
    {
      cwd: ROOT,
      exclude: ['web/dist/**'],
    },
  )
  const found = new Map<string, Set<string>>()
  const add = (target: string | undefined, name: string) => {
    if (target !== undefined) found.set(target, (found.get(target) ?? new Set()).add(name))
  }
  for (const file of files.map(each => each.replaceAll('\\', '/')).filter(importers)) {
    const source = readSource(file)
    for (const [, names, specifier = ''] of source.matchAll(IMPORT)) {
      const target = pathOf(file, specifier)
      for (const part of names?.split(',') ?? ['*']) add(target, names === undefined ? '*' : nameOf(part))
    }
    for (const [, specifier = ''] of source.matchAll(WHOLE)) {
      const pattern = pathOf(
        file,
        specifier.startsWith('.') || specifier.startsWith('#') ? specifier : `./${specifier}`,
      )
      for (const target of pattern?.includes('*') ? globSync(pattern, { cwd: ROOT }) : [pattern]) add(target, '*')
    }
  }
  return found
}

/** The source of a virtual module is named by its plugin. */
const plugins = globSync('web/*-plugin.ts', { cwd: ROOT }).map(readSource).join('\n')

/** Exports of the program that no file among `importers` imports. */
const unusedExports = (importers: (file: string) => boolean): readonly string[] => {
  const imported = importedNames(importers)
  return sourceFiles(PROGRAM)
    .filter(file => importers(file) && !file.endsWith('.d.ts') && !plugins.includes(basename(file)))
    .flatMap(file => {
      const names = imported.get(file) ?? new Set()
      if (names.has('*')) return []
      return [...readSource(file).matchAll(EXPORT)].flatMap(([, name = '']) =>
        names.has(name) ? [] : [`${file}: ${name}`],
      )
    })
}

test('every export has an importer', () => {
  expect(unusedExports(() => true)).toEqual([])
})

test('no export is imported by tests alone, but for those that are left', () => {
  expect(unusedExports(file => !TESTS.test(file))).toEqual(LEFT)
})
