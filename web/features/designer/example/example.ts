import type { FlowFile } from '#schemas/flow/file.ts'

export const EXAMPLES = ['welcome', 'rating', 'outage'] as const
export type ExampleName = (typeof EXAMPLES)[number]

const FILES: Readonly<Record<ExampleName, () => Promise<unknown>>> = {
  welcome: async () => (await import('./welcome.json')).default,
  rating: async () => (await import('./rating.json')).default,
  outage: async () => (await import('./outage.json')).default,
}

/** A flow that a real bot could have, without what it refers to outside of itself. */
export const loadExample = async (name: ExampleName): Promise<FlowFile> => (await FILES[name]()) as FlowFile
