import type { Json, JsonObject } from '#schemas/event.ts'

export interface ConnectorModel {
  readonly id: string
  /** Label from the file or the person; '' uses the declaration's label. */
  readonly label: string
  /** It belongs to this item of the block's list. */
  readonly item: boolean
  /** Several links may leave it. */
  readonly multiple: boolean
}

/** One block as the canvas, the form, the lint and the runtime read it; immutable. */
export interface NodeModel {
  readonly id: string
  /** The type as it is written; '' where the document has none. */
  readonly type: string
  /** Whether there is a declaration; a block without one is shown as a marker. */
  readonly known: boolean
  readonly title: string
  readonly x: number
  readonly y: number
  /** The properties in their flow-file form, with the declaration's defaults for missing ones. */
  readonly properties: JsonObject
  readonly inputs: readonly ConnectorModel[]
  /** Items' outputs in the items' order, then fixed ones, then others the file names. */
  readonly outputs: readonly ConnectorModel[]
  /** Declared outputs that this block does not show yet; linking from one shows it. */
  readonly moreOutputs: readonly string[]
  /** Properties that no declaration knows, beside inputs and outputs. */
  readonly unknown: readonly string[]
  /** Declared properties whose shape cannot be read. */
  readonly unreadable: readonly string[]
}

export interface LinkModel {
  readonly id: string
  readonly from: string
  readonly fromConnector: string
  readonly fromSubConnector: string | number | null | undefined
  readonly to: string
  readonly toConnector: string
  readonly toSubConnector: string | number | null | undefined
  readonly color: string | undefined
}

export interface FlowModel {
  readonly schema: number
  readonly nodes: ReadonlyMap<string, NodeModel>
  /** Dangling links are left out. */
  readonly links: ReadonlyMap<string, LinkModel>
}

export type { Json, JsonObject }
