import type { Tools } from './tools.ts'

/** The same tools, reading each stream anew: what is kept folded may be behind what another node wrote. */
export const freshly = (tools: Tools): Tools => {
  const { loader } = tools
  return { ...tools, loader: { ...loader, load: (entity, id) => loader.load(entity, id, { fresh: true }) } }
}
