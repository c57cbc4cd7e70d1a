import { chakra, HStack } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { setField } from '#domain/flow/document/edit.ts'
import type { NodeModel } from '#domain/flow/document/model.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { Json } from '#schemas/event.ts'
import type { BlockField } from '#schemas/flow/block-field.ts'
import { ChoiceControl, SwitchControl } from '#web/form/control/choice-control.tsx'
import { useWords } from '../canvas/canvas-context.ts'
import { useDesigner } from '../session/designer.ts'
import { OWN_EDIT } from '../session/edit/edit-actions.ts'
import { SharedNumber } from './field.tsx'
import { isShown } from './field-group.tsx'

type Common = readonly [string, BlockField]

const SET_TOGETHER = new Set(['boolean', 'number', 'integer', 'enumeration'])

const commonOf = (nodes: readonly NodeModel[]): readonly Common[] => {
  const [first, ...rest] = nodes.map(node => blockOf(node.type)?.fields ?? {})
  return Object.entries(first ?? {}).filter(
    ([name, field]) =>
      SET_TOGETHER.has(field.kind) &&
      nodes.every(node => isShown(node, name)) &&
      rest.every(fields => fields[name]?.kind === field.kind),
  )
}

/** Several blocks at once: the fields they have in common and that have one value each. */
export const MultiEditForm = ({ nodes }: { readonly nodes: readonly NodeModel[] }) => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const { room, mayEdit } = useDesigner()
  const set = (name: string, value: Json) =>
    room.doc.transact(() => {
      for (const node of nodes) setField(room.doc, node.id, [name], value, OWN_EDIT)
    }, OWN_EDIT)
  const control = (name: string, field: BlockField, id: string) => {
    const values = new Set(nodes.map(node => JSON.stringify(node.properties[name])))
    const value = values.size === 1 ? nodes[0]?.properties[name] : undefined
    if (field.kind === 'boolean') {
      return <SwitchControl id={id} value={value === true} disabled={!mayEdit} onChange={next => set(name, next)} />
    }
    if (field.kind === 'number' || field.kind === 'integer') {
      return <SharedNumber id={id} disabled={!mayEdit} field={field} value={value} onChange={next => set(name, next)} />
    }
    if (field.kind !== 'enumeration') return null
    const choices = field.options.map(each => ({
      value: each,
      label: words(`block:option.${name}.${each}`, { defaultValue: each }),
    }))
    return (
      <ChoiceControl
        id={id}
        disabled={!mayEdit}
        value={typeof value === 'string' ? value : ''}
        choices={choices}
        onChange={next => set(name, next)}
      />
    )
  }
  const common = commonOf(nodes)
  return (
    <>
      <chakra.h2 px="14px" py="3" fontSize="md" borderBottomWidth="1px">
        {t('inspector.several', { count: nodes.length })}
      </chakra.h2>
      <div className="pl-form">
        <div className="pl-section">
          {common.map(([name, field]) => {
            const id = `pl-many-${name}`
            const mixed = new Set(nodes.map(node => JSON.stringify(node.properties[name]))).size > 1
            return (
              <HStack key={name} justify="space-between" gap="3" minH="8">
                <chakra.label htmlFor={id} id={`${id}-label`} fontSize="sm">
                  {words(`block:field.${name}`, { defaultValue: name })}
                  {mixed ? (
                    <chakra.small display="block" color="fg.subtle">
                      {t('inspector.mixed')}
                    </chakra.small>
                  ) : null}
                </chakra.label>
                {control(name, field, id)}
              </HStack>
            )
          })}
          {common.length === 0 ? t('inspector.nothing') : null}
        </div>
      </div>
    </>
  )
}
