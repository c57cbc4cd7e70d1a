import type { FlowModel } from '#domain/flow/document/model.ts'
import { sectionsOf } from '#domain/flow/graph/sections.ts'
import { plainTitle, type Translate } from './label.ts'

export const sectionTitles = (flow: FlowModel, t: Translate): ReadonlyMap<string, string> =>
  new Map([...sectionsOf(flow)].map(([id, marker]) => [id, plainTitle(marker, t)]))
