import { defineBlock } from '../block.ts'

export const goback = defineBlock({ type: 'goback', category: 'flow', icon: 'CornerUpLeft', outputs: [] })
