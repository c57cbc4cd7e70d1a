import { defineBlock } from '../block.ts'

export const gotonodedest = defineBlock({ type: 'gotonodedest', category: 'flow', icon: 'Locate', inputs: [] })
