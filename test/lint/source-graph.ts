import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

const IMPORT = /(?:\bfrom|\bimport\(|^import)\s*'([^']+)'/gm

/** Program files, tests left out, relative to the root with forward slashes. */
export const sourceFiles = (pattern: string): readonly string[] =>
  globSync(pattern, { cwd: ROOT })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => !/\.test\.tsx?$/.test(file) && !file.startsWith('web/dist/'))
    .sort()

export const readSource = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** Files of this project that a file imports, types included. */
export const importsOf = (file: string): readonly string[] =>
  [...readSource(file).matchAll(IMPORT)].flatMap(([, specifier = '']) => {
    if (specifier.startsWith('#')) return [specifier.slice(1)]
    return specifier.startsWith('.') ? [posix.join(posix.dirname(file), specifier)] : []
  })
