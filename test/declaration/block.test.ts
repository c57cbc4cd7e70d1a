import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blocks } from '#schemas/blocks/registry.ts'

const ROOT = join(import.meta.dirname, '../..')
const SOURCES = globSync('{schemas,domain,commands,projections,realtime,gateway,web}/**/*.{ts,tsx}', {
  cwd: ROOT,
}).filter(path => !/\.test\.tsx?$|\/dist\/|gateway\/sample\//.test(path))
/** Blocks whose type is an ordinary word, or is another entity's name, are named for that; these are not. */
const PLAIN = ['rssfeed', 'receiptcard', 'workinghour', 'assignuserdata', 'talktoanotherbot', 'gototaskandwait']

/** Declaration and behaviour of blocks. */
const FOLDERS = ['schemas/blocks', 'domain/conversation/blocks']

test.each(PLAIN)('block %s is named in its two files and their registries, and nowhere else', type => {
  expect(Object.keys(blocks)).toContain(type)
  const naming = SOURCES.filter(path => new RegExp(`\\b${type}\\b`).test(readFileSync(join(ROOT, path), 'utf8')))
  expect(naming.sort()).toEqual(FOLDERS.flatMap(folder => [`${folder}/${type}.ts`, `${folder}/registry.ts`]).sort())
})

test('every declared block is in the registry', () => {
  const declared = globSync('schemas/blocks/*.ts', { cwd: ROOT }).flatMap(path => {
    const [, type] = /defineBlock\(\{\s*type: '(\w+)'/.exec(readFileSync(join(ROOT, path), 'utf8')) ?? []
    return type === undefined ? [] : [type]
  })
  expect(Object.keys(blocks).sort()).toEqual(declared.sort())
})
