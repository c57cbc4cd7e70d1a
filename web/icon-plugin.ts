import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as lucide from 'lucide-react'
import type { Plugin } from 'vite'

const NAME = /'([A-Z][A-Za-z0-9]+)'/g

/** A glob without dots and slashes: browsers would shorten `../` in the address that the development server gives it. */
const encode = (glob: string): string => Buffer.from(glob).toString('base64url')
const decode = (encoded: string): string => Buffer.from(encoded, 'base64url').toString()

/**
 * `virtual:icon/<glob>`: a record of the lucide icons that the files of that glob name in quotes. So a declaration
 * chooses its icon by name, and the browser loads that one alone.
 */
export const iconPlugin = (root: string): Plugin => {
  const name = 'virtual:icon/'
  const prefix = `\0${name}`
  return {
    name: 'parley-icon',
    resolveId: id => (id.startsWith(name) ? `${prefix}${encode(id.slice(name.length))}` : undefined),
    load(id) {
      if (!id.startsWith(prefix)) return undefined
      const files = globSync(decode(id.slice(prefix.length)), { cwd: root }).map(file => join(root, file))
      for (const file of files) this.addWatchFile(file)
      const named = files.flatMap(file => [...readFileSync(file, 'utf8').matchAll(NAME)].map(match => match[1] ?? ''))
      const icons = [...new Set(named)].filter(name => Object.hasOwn(lucide, name)).sort()
      return `import { ${icons.join(', ')} } from 'lucide-react'\nexport const ICONS = { ${icons.join(', ')} }`
    },
  }
}
