import { Button, chakra, HStack } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { templateMessage } from '#domain/campaign/message-body.ts'
import { addItem } from '#domain/flow/document/item-edit.ts'
import { type FieldPath, fieldAt } from '#domain/flow/document/location.ts'
import { neededVariables } from '#domain/template/sendable.ts'
import { templateOf } from '#domain/template/template.ts'
import type { RowOf } from '#schemas/row.ts'
import { detailQuery } from '#web/entity/entity-query.ts'
import { MessagePreview } from '#web/entity/form/template/message-preview.tsx'
import { itemsAt, under, useForm, useLabel, valueAt } from '../../inspector/form-context.ts'
import { ListField, newId } from '../../inspector/list-field.tsx'
import { stringOf } from '../../inspector/shared-value.ts'
import { useDesigner } from '../../session/designer.ts'
import { OWN_EDIT } from '../../session/edit/edit-actions.ts'

const VALUES: FieldPath = ['templateValues']
const NONE: readonly never[] = []

interface MappedProps {
  readonly template: RowOf<'template'>
  readonly mapped: ReadonlyMap<string, string>
}

/** Text of the template with the expressions in place of its variables. */
const TemplateText = ({ template, mapped }: MappedProps) => {
  const { t } = useTranslation('designer')
  const { text, buttons } = templateMessage(templateOf(template), mapped)
  return <MessagePreview label={t('inspector.template.preview')} text={text} buttons={buttons} />
}

/** Variables without a value; adds a line for each that has none. */
const MissingVariables = ({ template, mapped }: MappedProps) => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const { room, mayEdit } = useDesigner()
  const needed = neededVariables(template)
  const empty = needed.filter(name => (mapped.get(name) ?? '').trim() === '')
  const missing = needed.filter(name => !mapped.has(name))
  if (empty.length === 0) return null
  const add = () => {
    for (const variable of missing) addItem(room.doc, node.id, VALUES, { id: newId(), members: { variable } }, OWN_EDIT)
  }
  return (
    <HStack gap="2" flexWrap="wrap">
      <chakra.p role="status" fontSize="xs" color="danger.fg" flex="1" minW="0">
        {t('inspector.template.missing', { names: empty.join(', '), count: empty.length })}
      </chakra.p>
      {missing.length === 0 || !mayEdit ? null : (
        <Button size="xs" onClick={add}>
          <Plus size={14} aria-hidden />
          {t('inspector.template.add', { count: missing.length })}
        </Button>
      )}
    </HStack>
  )
}

/** Text, destination, and the template for the time outside the window of WhatsApp. */
export const SendMessageForm = () => {
  const { t } = useTranslation('designer')
  const { node, Field } = useForm()
  const { room } = useDesigner()
  const label = useLabel(VALUES)
  const id = stringOf(node.properties.template)
  const { data: template } = useQuery({ ...detailQuery('template', id), enabled: id !== '', retry: false })
  const field = fieldAt(node.type, VALUES)
  if (field?.kind !== 'list') return null
  const said = (item: string, name: string) =>
    stringOf(valueAt(room.doc, node.id, node.type, under(VALUES, item, name)))
  const items = itemsAt(room.doc, node.id, node.type, VALUES) ?? NONE
  const mapped = new Map(items.map(item => [said(item, 'variable').trim(), said(item, 'value')]))
  return (
    <>
      <div className="pl-section">
        <Field path={['text']} />
        <Field path={['destination']} />
      </div>
      <div className="pl-section">
        <Field path={['template']} />
        <chakra.p fontSize="xs" color="fg.muted">
          {t('inspector.template.about')}
        </chakra.p>
        {template === undefined ? null : (
          <>
            <TemplateText template={template} mapped={new Map([...mapped].filter(([, value]) => value !== ''))} />
            <MissingVariables template={template} mapped={mapped} />
          </>
        )}
        {id === '' && items.length === 0 ? null : <ListField path={VALUES} field={field} label={label} />}
      </div>
    </>
  )
}
