import { useNavigate } from 'react-router'
import type { FlowHit } from '#schemas/api/flow-text.ts'
import { flowAddress } from '#web/entity/address.ts'
import { useCommands } from '../commands/commands.ts'
import { useDesigner } from '../session/designer.ts'

/** Goes to a block of any flow: in this one the view flies there, another one is opened at it. */
export const useGoTo = () => {
  const { address } = useDesigner()
  const commands = useCommands()
  const navigate = useNavigate()
  return (
    flow: { readonly kind: 'dialog' | 'handler'; readonly id: string },
    { block, path, field }: Pick<FlowHit, 'block' | 'path' | 'field'>,
  ) => {
    if (flow.id === address.id) commands.show(block, field === '' || field === 'title' ? undefined : path.join('.'))
    else void navigate(flowAddress(flow.kind, flow.id, { block }))
  }
}
