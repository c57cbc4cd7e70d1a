import { composeChecked } from '#domain/compose/check-compose.ts'
import type { Json } from '#schemas/event.ts'

export const run = (source: string): Json => composeChecked(source)
