import { isObject } from '#schemas/json.ts'
import type { FlowModel, NodeModel } from '../document/model.ts'

/** Whether a block asks for something that nobody may read again: its answer is shown as dots. */
const isMasked = ({ type, properties: { data } }: NodeModel): boolean =>
  type === 'prompt' && isObject(data) && data.type === 'text' && data.textStyle === 'password'

/** Variables of masked answers, as written: `senha`, `pessoa.senha`. */
export const maskedVariables = (flow: FlowModel): ReadonlySet<string> =>
  new Set(
    [...flow.nodes.values()]
      .filter(isMasked)
      .map(({ properties: { varname } }) => (typeof varname === 'string' ? varname.trim() : ''))
      .filter(name => name !== ''),
  )

/** Which of the masked variables a text reads at a place, if any. */
export const maskedAt = (text: string, offset: number, masked: ReadonlySet<string>): string | undefined => {
  const written = text.slice(offset)
  return [...masked].find(name => written.startsWith(name) && !/^[\p{L}\d_$]/u.test(written.slice(name.length)))
}
