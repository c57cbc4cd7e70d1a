import { Box, Button, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { CornerDownLeft, Flag, type LucideIcon, Plus, Waypoints, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { JsonObject } from '#schemas/event.ts'
import { textOf } from '#schemas/json.ts'
import { http } from '#web/api/http.ts'
import { IconButton } from '#web/components/hint.tsx'
import { useName } from '#web/entity/entity-query.ts'
import { Select } from '../labelled-select.tsx'
import type { ControlProps } from './control-props.ts'
import { ReferencePicker } from './reference-picker.tsx'

const KINDS = ['flow', 'task', 'block'] as const
type Kind = (typeof KINDS)[number]

const ICON: Readonly<Record<Kind, LucideIcon>> = { flow: CornerDownLeft, task: Waypoints, block: Flag }

/** Blocks of a dialog to which a person may return. */
const MARKERS = new Set(['gotonodedest', 'marker'])

const useMarkers = (dialog: string | null) => {
  const { t } = useTranslation('block')
  const { data } = useQuery({
    queryKey: ['dialog', 'markers', dialog],
    queryFn: () => http.get('/{kind}/{id}/flow', { params: { kind: 'dialog', id: dialog ?? '' } }),
    enabled: dialog !== null && dialog !== '',
    retry: false,
  })
  return Object.entries(data?.operators ?? {}).flatMap(([id, { type, title }]) =>
    MARKERS.has(String(type)) ? [{ id, name: String(title ?? '') || t(`type.${String(type)}`) }] : [],
  )
}

interface TargetNameProps {
  readonly item: JsonObject
}

/** A place by its names: the task, or the dialog and its marker. Without one, all of its kind. */
const TargetName = ({ item }: TargetNameProps) => {
  const { t } = useTranslation('shell')
  const [task, dialog, block] = [textOf(item.task), textOf(item.dialog), textOf(item.block)]
  const taskName = useName('dialogtask', item.kind === 'task' ? task : '')
  const dialogName = useName('dialog', item.kind === 'block' ? dialog : '')
  const marker = useMarkers(item.kind === 'block' ? dialog : null).find(({ id }) => id === block)
  if (item.kind === 'flow') return t('form.targets.flow')
  if (item.kind === 'task') return task === '' ? t('form.targets.anytask') : (taskName ?? t('form.elsewhere'))
  if (block === '') return t('form.targets.anyblock')
  return [dialogName ?? t('form.elsewhere'), marker?.name ?? block].join(' · ')
}

interface AddProps {
  readonly id: string
  readonly onAdd: (target: JsonObject) => void
}

/** Chooses a marker: first the dialog, then one of its markers. */
const AddMarker = ({ id, onAdd }: AddProps) => {
  const { t } = useTranslation('shell')
  const [dialog, setDialog] = useState<string | null>(null)
  const markers = useMarkers(dialog)
  return (
    <Box display="grid" gap="2" w="100%">
      <ReferencePicker
        id={id}
        to="dialog"
        within={{}}
        required
        disabled={false}
        invalid={false}
        value={dialog}
        onChange={setDialog}
      />
      {dialog === null ? null : (
        <Select
          disabled={markers.length === 0}
          field={{ 'aria-label': t('form.targets.marker') }}
          value=""
          none={t(markers.length === 0 ? 'form.targets.nomarker' : 'form.targets.marker')}
          options={markers.map(marker => [marker.id, marker.name])}
          onChange={block => onAdd({ kind: 'block', task: null, dialog, block })}
        />
      )}
    </Box>
  )
}

const Row = ({
  icon: Icon,
  children,
  tool,
}: {
  readonly icon: LucideIcon
  readonly children: ReactNode
  readonly tool: ReactNode
}) => (
  <HStack as="li" gap="2.5" py="1" minH="9" borderTopWidth="1px" _first={{ borderTopWidth: '0' }}>
    <Icon size={15} aria-hidden="true" />
    <Text flex="1" minW="0" textStyle="dense" truncate>
      {children}
    </Text>
    {tool}
  </HStack>
)

/** Places to which the agents of a queue may return a person, by their names. */
export const ReturnTargetsControl = ({
  value,
  onChange,
  id,
  describedBy,
  ...props
}: ControlProps<readonly JsonObject[]>) => {
  const { t } = useTranslation('shell')
  const [adding, setAdding] = useState<Kind>()
  const isFixed = props.readOnly === true || props.disabled === true
  const add = (target: JsonObject) => {
    setAdding(undefined)
    onChange([...value, { ...target, id: crypto.randomUUID() }])
  }
  const choose = (kind: Kind) =>
    kind === 'flow' ? add({ kind, task: null, dialog: null, block: null }) : setAdding(kind)
  const hasFlow = value.some(({ kind }) => kind === 'flow')
  return (
    <Box w="100%" role="group" aria-labelledby={`${id}-label`} aria-describedby={describedBy}>
      <Box as="ul" listStyleType="none" mb={value.length === 0 ? '0' : '2'}>
        {value.map((item, place) => (
          <Row
            key={String(item.id ?? place)}
            icon={ICON[item.kind as Kind] ?? Flag}
            tool={
              isFixed ? null : (
                <IconButton
                  icon={X}
                  label={t('form.removeitem', { name: t('form.item', { place: place + 1 }) })}
                  onClick={() => onChange(value.toSpliced(place, 1))}
                />
              )
            }
          >
            <TargetName item={item} />
          </Row>
        ))}
      </Box>
      {isFixed ? null : (
        <HStack gap="2" flexWrap="wrap" mb={adding === undefined ? '0' : '2'}>
          {KINDS.map((kind, place) =>
            kind === 'flow' && hasFlow ? null : (
              <Button
                key={kind}
                {...(place === 0 || (place === 1 && hasFlow) ? { id, 'aria-labelledby': id } : {})}
                size="sm"
                h={{ base: '11', md: '8' }}
                aria-pressed={adding === kind}
                onClick={() => choose(kind)}
              >
                <Plus size={14} aria-hidden="true" />
                {t(`form.targets.${kind}`)}
              </Button>
            ),
          )}
        </HStack>
      )}
      {adding === 'task' ? (
        <ReferencePicker
          id={`${id}-task`}
          to="dialogtask"
          within={{}}
          required
          disabled={false}
          invalid={false}
          value={null}
          onChange={task => {
            if (task !== null) add({ kind: 'task', task, dialog: null, block: null })
          }}
        />
      ) : null}
      {adding === 'block' ? <AddMarker id={`${id}-dialog`} onAdd={add} /> : null}
    </Box>
  )
}
