import { Box, Button, Field as ChakraField, chakra, HStack, Input, InputGroup, Text } from '@chakra-ui/react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronDown, UserPlus, X } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DESK_STATES } from '#schemas/api/desk.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { ItemField } from '#schemas/field/kind.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { usePerson } from '#web/entity/person-query.ts'
import { readAll } from '#web/entity/read-all.ts'
import { notice } from '#web/notice/notice.ts'
import { type DeskSummary, deskQueuesQuery } from '#web/shell/desk-summary.ts'
import { CharacterCount } from '../character-count.tsx'
import type { FieldTexts } from '../form-value.ts'
import { Select } from '../labelled-select.tsx'
import type { ControlProps } from './control-props.ts'
import { ReferencePicker } from './reference-picker.tsx'

type State = Pick<ControlProps<unknown>, 'id' | 'describedBy' | 'invalid'>

interface MemberProps {
  /** `0.name`: its path in the list. */
  readonly name: string
  readonly field: ItemField
  readonly value: unknown
  readonly texts: FieldTexts
  readonly error: string | undefined
  readonly children: (state: State) => ReactNode
}

/** Label, control, hint and error of a field of a list's item. */
export const MemberField = ({ name, field, value, texts, error, children }: MemberProps) => {
  const id = `member-${useId()}`
  const described = [texts.hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`]
  const describedBy = described.join(' ').trim()
  const control = children({
    id,
    invalid: error !== undefined,
    ...(describedBy === '' ? {} : { describedBy }),
  })
  const label = (
    <ChakraField.Label id={`${id}-label`} htmlFor={id}>
      {texts.label}
      {field.required ? (
        <chakra.span color="fg.subtle" fontWeight="normal" aria-hidden="true">
          *
        </chakra.span>
      ) : null}
    </ChakraField.Label>
  )
  return (
    <ChakraField.Root
      invalid={error !== undefined}
      required={field.required}
      data-member={name}
      ids={{ helperText: `${id}-hint`, errorText: `${id}-error`, label: `${id}-label` }}
    >
      {field.kind === 'boolean' ? (
        <HStack w="100%" minH="8" justify="space-between">
          {label}
          {control}
        </HStack>
      ) : (
        <>
          {field.count === undefined ? (
            label
          ) : (
            <HStack w="100%" justify="space-between">
              {label}
              <CharacterCount value={value} max={field.count} />
            </HStack>
          )}
          <Box w="100%">{control}</Box>
        </>
      )}
      {texts.hint === undefined ? null : <ChakraField.HelperText>{texts.hint}</ChakraField.HelperText>}
      <ChakraField.ErrorText>{error}</ChakraField.ErrorText>
    </ChakraField.Root>
  )
}

const PRIORITIES = [1, 2, 3] as const

/** Sets the state of another person, as supervisors do. */
const useSetStateOf = (user: string) => {
  const { t } = useTranslation('shell')
  const client = useQueryClient()
  return async (state: DeskSummary['me']['state']) => {
    try {
      await http.put('/desk/state', { body: { state, user } })
    } catch (failure) {
      notice.toast(failureOf(failure, t('error.noanswer')), { tone: 'danger' })
    }
    await client.invalidateQueries({ queryKey: deskQueuesQuery.queryKey })
  }
}

/** State and load of a member now, which a supervisor changes; nothing where the caller may not see it. */
const Standing = ({ user, name }: { readonly user: string; readonly name: string }) => {
  const { t } = useTranslation('shell')
  const { can } = useSession()
  const summary = useQuery({ ...deskQueuesQuery, enabled: can('showdesk') }).data
  const setState = useSetStateOf(user)
  const agent = summary?.agents.find(one => one.user === user)
  if (agent === undefined) return null
  const isFull = agent.load >= agent.capacity
  const isAway = agent.state === 'available' && !agent.present
  const tone = agent.state !== 'available' || isAway ? 'fg.muted' : isFull ? 'warning.fg' : 'positive.fg'
  const load = t('form.members.load', { load: agent.load, capacity: agent.capacity })
  const shown = (
    <HStack as="span" gap="1.5" textStyle="secondary" color={tone} flex="none">
      <chakra.span boxSize="7px" borderRadius="full" bg="currentColor" aria-hidden="true" />
      {isAway ? t('form.members.away') : agent.state === 'available' ? load : t(`form.members.${agent.state}`)}
    </HStack>
  )
  if (!can('superviseconversation')) return shown
  return (
    <ActionMenu
      label={t('form.members.stateof', { name })}
      actions={DESK_STATES.map(state => ({
        id: state,
        label: t(`form.members.${state}`),
        checked: state === agent.state,
        run: () => void setState(state),
      }))}
    >
      <Button size="xs" variant="ghost" aria-label={t('form.members.stateof', { name })}>
        {shown}
        <ChevronDown size={12} aria-hidden="true" />
      </Button>
    </ActionMenu>
  )
}

/** Profiles of agents by their users. */
const profilesQuery = queryOptions({
  queryKey: ['deskagent', 'list', { all: true }],
  queryFn: ({ signal }) => readAll('deskagent', {}, signal),
})

const MIN_CAPACITY = 1
const MAX_CAPACITY = 20
const INITIAL_CAPACITY = 4

/** Chats that a member gets at once, over all queues; saved when the field is left. */
const CapacityField = ({ user, name }: { readonly user: string; readonly name: string }) => {
  const { t } = useTranslation('shell')
  const { can } = useSession()
  const client = useQueryClient()
  const profiles = useQuery({ ...profilesQuery, enabled: can('readdeskagent') }).data
  const [typed, setTyped] = useState<string>()
  const profile = profiles?.items.find(each => each.user === user)
  const stored = profile?.capacity ?? INITIAL_CAPACITY
  if (profiles === undefined || !can(profile === undefined ? 'createdeskagent' : 'updatedeskagent')) return null
  const save = async () => {
    const capacity = Number(typed)
    setTyped(undefined)
    if (typed === undefined || !Number.isInteger(capacity) || capacity < MIN_CAPACITY || capacity > MAX_CAPACITY) return
    if (capacity === stored) return
    try {
      await (profile === undefined
        ? http.post('/{entity}', { params: { entity: 'deskagent' }, body: { user, capacity } })
        : http.patch('/{entity}/{id}', {
            params: { entity: 'deskagent', id: profile.id },
            body: { capacity },
            revision: profile.revision,
          }))
    } catch (failure) {
      notice.toast(failureOf(failure, t('error.noanswer')), { tone: 'danger' })
    }
    for (const queryKey of [profilesQuery.queryKey, deskQueuesQuery.queryKey])
      await client.invalidateQueries({ queryKey })
  }
  return (
    <InputGroup w="86px" flex="none" endElement={<Text textStyle="secondary">{t('form.members.most')}</Text>}>
      <Input
        type="number"
        inputMode="numeric"
        min={MIN_CAPACITY}
        max={MAX_CAPACITY}
        aria-label={t('form.members.capacityof', { name })}
        value={typed ?? String(stored)}
        onChange={event => setTyped(event.target.value)}
        onBlur={() => void save()}
        onKeyDown={event => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          void save()
        }}
      />
    </InputGroup>
  )
}

interface RowProps {
  readonly item: JsonObject
  readonly isFixed: boolean
  readonly onPriority: (priority: number) => void
  readonly onRemove: () => void
}

const MemberRow = ({ item, isFixed, onPriority, onRemove }: RowProps) => {
  const { t } = useTranslation('shell')
  const user = String(item.user)
  const person = usePerson(user)
  const name = person === undefined ? '…' : person === null ? t('form.elsewhere') : nameOf(person)
  return (
    <HStack as="li" gap="2.5" py="1.5" borderTopWidth="1px" _first={{ borderTopWidth: '0' }} flexWrap="wrap">
      <PersonAvatar person={person ?? { id: user, username: null }} size={26} />
      <Text flex="1 1 120px" minW="0" textStyle="dense" truncate>
        {name}
      </Text>
      {isFixed ? null : <CapacityField user={user} name={name} />}
      {/* As wide as its longest words, so that the fields of all rows are below each other. */}
      <HStack minW={{ base: '0', md: '128px' }}>
        <Standing user={user} name={name} />
      </HStack>
      <Select
        w="132px"
        disabled={isFixed}
        field={{ 'aria-label': t('form.members.priorityof', { name }) }}
        value={String(item.priority ?? 1)}
        options={PRIORITIES.map(one => [String(one), t('form.members.priority', { count: one })])}
        onChange={chosen => onPriority(Number(chosen))}
      />
      {isFixed ? null : <IconButton icon={X} label={t('form.members.remove', { name })} onClick={onRemove} />}
    </HStack>
  )
}

/** People of a queue with their priority and what they do now. */
export const MembersControl = ({ value, onChange, id, describedBy, ...props }: ControlProps<readonly JsonObject[]>) => {
  const { t } = useTranslation('shell')
  const [isAdding, setAdding] = useState(false)
  const isFixed = props.readOnly === true || props.disabled === true
  const add = (user: string | null) => {
    setAdding(false)
    if (user === null || value.some(item => item.user === user)) return
    onChange([...value, { id: crypto.randomUUID(), user, priority: 1 }])
  }
  return (
    <Box w="100%" role="group" aria-labelledby={`${id}-label`} aria-describedby={describedBy}>
      {value.length === 0 ? (
        <Text textStyle="dense" color="warning.fg" mb="2">
          {t('form.members.none')}
        </Text>
      ) : (
        <Box as="ul" listStyleType="none" mb="2">
          {value.map((item, place) => (
            <MemberRow
              key={String(item.user)}
              item={item}
              isFixed={isFixed}
              onPriority={priority => onChange(value.with(place, { ...item, priority }))}
              onRemove={() => onChange(value.toSpliced(place, 1))}
            />
          ))}
        </Box>
      )}
      {isFixed ? null : isAdding ? (
        <ReferencePicker
          id={id}
          to="user"
          within={{}}
          required
          disabled={false}
          invalid={false}
          value={null}
          onChange={add}
        />
      ) : (
        <Button id={id} size="sm" onClick={() => setAdding(true)}>
          <UserPlus size={14} aria-hidden="true" />
          {t('form.members.add')}
        </Button>
      )}
    </Box>
  )
}
