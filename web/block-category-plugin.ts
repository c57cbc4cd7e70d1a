import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const ID = 'virtual:block-category'
const TYPE = /type: '(\w+)',\s+category: '(\w+)'/g

/** `virtual:block-category`: block type → category, from the declarations' text: miniatures need no more of them. */
export const blockCategoryPlugin = (blocks: string): Plugin => ({
  name: 'parley-block-category',
  resolveId: id => (id === ID ? `\0${ID}` : undefined),
  load(id) {
    if (id !== `\0${ID}`) return undefined
    const files = globSync('*.ts', { cwd: blocks }).map(file => join(blocks, file))
    for (const file of files) this.addWatchFile(file)
    const found = files.flatMap(file => [...readFileSync(file, 'utf8').matchAll(TYPE)])
    return `export const CATEGORIES = ${JSON.stringify(Object.fromEntries(found.map(([, type, category]) => [type, category])))}`
  },
})
