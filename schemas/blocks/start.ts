import { defineBlock } from '../block.ts'

export const start = defineBlock({ type: 'start', category: 'flow', icon: 'Play', inputs: [] })
