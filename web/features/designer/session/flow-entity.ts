import type { ParserName, PathParserName } from '#domain/expression/engine.ts'
import type { Json } from '#schemas/event.ts'
import type { RowOf } from '#schemas/row.ts'

/** Fields that the designer reads of related entities. */
export interface Named {
  readonly id: string
  readonly name: string
  readonly revision: number
}

export interface FlowEntity extends Named {
  readonly dialogtask: string
  readonly published: boolean
  readonly publishedrevision: number | null
  readonly published_at: string | null
  readonly global: boolean
}

interface Task extends Named {
  readonly bot: string
  readonly principaldialog: string | null
}

interface Variable extends Named {
  readonly bot: string | null
  readonly datatype: string | undefined
  readonly schema: string | null
  readonly scope: string | undefined
  /** Its owner, if not the whole bot. */
  readonly task: string | null
  readonly dialog: string | null
  /** An example of its value. */
  readonly customdata: Json | undefined
}

/** `expressionparser`, `jsonpathparser`: the languages of the bot's expressions. */
interface Bot extends Named {
  readonly expressionparser: ParserName
  readonly jsonpathparser: PathParserName
}

export const named = ({ id, name, revision }: Named): Named => ({ id, name, revision })

export const flowOf = (row: RowOf<'dialog' | 'handler'>): FlowEntity => ({
  ...named(row),
  dialogtask: row.dialogtask,
  published: row.published,
  publishedrevision: row.publishedrevision,
  published_at: row.published_at,
  global: 'global' in row && row.global,
})

export const taskOf = ({ bot, principaldialog, ...row }: RowOf<'dialogtask'>): Task => ({
  ...named(row),
  ...{ bot, principaldialog },
})

export const variableOf = (row: RowOf<'variable'>): Variable => ({
  ...named(row),
  ...{ bot: row.bot, datatype: row.datatype, schema: row.schema, scope: row.scope },
  ...{ task: row.task, dialog: row.dialog, customdata: row.customdata },
})

export const globalVariableOf = (row: RowOf<'globalvariable'>): Variable => ({
  ...named(row),
  ...{ bot: row.bot, datatype: undefined, schema: null, scope: undefined },
  ...{ task: null, dialog: null, customdata: undefined },
})

export const botOf = ({ expressionparser, jsonpathparser, ...row }: RowOf<'bot'>): Bot => ({
  ...named(row),
  ...{ expressionparser, jsonpathparser },
})
