import { z } from 'zod'
import type { Json, JsonObject } from '../event.ts'

export const FLOW_FORMAT = 'parley-flow'
export const FLOW_VERSION = 1

/** An operator as a file has it; members beyond these are kept, and files of other makers may lack some. */
export interface FlowOperator {
  readonly type?: Json
  readonly title?: Json
  readonly top?: Json
  readonly left?: Json
  readonly properties?: JsonObject
  readonly [member: string]: Json | undefined
}

export interface FlowLink {
  readonly fromOperator: string
  readonly fromConnector: string
  readonly fromSubConnector?: string | number | null
  readonly toOperator: string
  readonly toConnector: string
  readonly toSubConnector?: string | number | null
  readonly color?: Json
  readonly [member: string]: Json | undefined
}

/** A stored flow: downloaded, uploaded, copied, pasted, versioned and published. */
export interface FlowFile {
  readonly format: typeof FLOW_FORMAT
  readonly version: typeof FLOW_VERSION
  readonly operators: { readonly [id: string]: FlowOperator }
  readonly links: { readonly [id: string]: FlowLink }
}

const connector = z.union([z.string(), z.number(), z.null()])

/** The flow file for the API's description; `parseFlowFile` is what reads one. */
export const flowFileSchema = z
  .object({
    format: z.literal(FLOW_FORMAT).optional(),
    version: z.literal(FLOW_VERSION).optional(),
    operators: z.record(
      z.string(),
      z.looseObject({
        type: z.string().optional(),
        title: z.string().optional(),
        top: z.number().optional(),
        left: z.number().optional(),
        properties: z.looseObject({}).optional(),
      }),
    ),
    links: z.record(
      z.string(),
      z.looseObject({
        fromOperator: z.union([z.string(), z.number()]),
        fromConnector: z.union([z.string(), z.number()]),
        fromSubConnector: connector.optional(),
        toOperator: z.union([z.string(), z.number()]),
        toConnector: z.union([z.string(), z.number()]),
        toSubConnector: connector.optional(),
        color: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'FlowFile' })

/** Depth limit of objects and lists in one property of a block, for every way into a flow. */
export const DEEPEST_PROPERTY = 200

/**
 * Names inside a rich text's Y.XmlFragment, shared by the editor and the document: paragraphs hold text with marks,
 * line breaks and variables, an inline atom. Its name is an attribute, and so is each mark it bears, with the value `marked`.
 * A paragraph that was spelled in another way than it would be written (`<strong>`, tags across others) says how, in `spelled`.
 */
export const RICH_MARKUP = {
  paragraph: 'paragraph',
  lineBreak: 'hardBreak',
  variable: 'variable',
  variableName: 'name',
  bold: 'bold',
  italic: 'italic',
  underline: 'underline',
  spelled: 'spelled',
  marked: 'true',
} as const
