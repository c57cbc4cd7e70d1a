import './permission.css'
import { Box, chakra, Flex, HStack, SimpleGrid, Text } from '@chakra-ui/react'
import { ArrowUp, Check, ChevronDown, ChevronRight, Minus } from 'lucide-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { MENU_ACTIONS } from '#domain/people/permission.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { useLabel } from '#web/entity/label.ts'
import { notice } from '#web/notice/notice.ts'
import {
  countOf,
  extraPermissions,
  type Grant,
  grantOf,
  type PermissionGroup,
  type Permissions,
  VERBS,
} from './permission-state.ts'

type BoxState = Grant | 'some'

const ICONS = { given: Check, inherited: ArrowUp, some: Minus } as const

export const PermissionMark = ({ state }: { readonly state: BoxState }) => {
  const Icon = state === 'none' ? undefined : ICONS[state]
  return <span aria-hidden="true">{Icon === undefined ? null : <Icon size={13} strokeWidth={2.5} />}</span>
}

interface Props {
  readonly label: string
  readonly state: BoxState
  readonly isChanged: boolean
  readonly isDisabled: boolean
  /** Why an inherited one can not be changed here. */
  readonly hint?: string
  /** State in the compared role, if different. */
  readonly other?: 'given' | 'none' | undefined
  /** Column, for the arrow keys. */
  readonly column: string
  onChange(on: boolean): void
}

/** One permission, or all of a column: given, inherited, some of them, none. An inherited one has the focus and says why. */
const PermissionBox = ({ label, state, isChanged, isDisabled, hint, other, column, onChange }: Props) => {
  const isInherited = state === 'inherited'
  return (
    <label
      className="pl-permission"
      data-state={state}
      data-changed={isChanged || undefined}
      data-other={other}
      title={isInherited ? hint : undefined}
    >
      <input
        ref={input => {
          if (input !== null) input.indeterminate = state === 'some'
        }}
        type="checkbox"
        aria-label={label}
        aria-disabled={isInherited || undefined}
        data-column={column}
        checked={state === 'given' || isInherited}
        disabled={isDisabled}
        onChange={event => {
          if (!isInherited) onChange(event.target.checked)
          else if (hint !== undefined) notice.snack(hint)
        }}
      />
      <PermissionMark state={state} />
    </label>
  )
}

export interface PermissionControl {
  readonly saved: Permissions
  readonly present: Permissions
  /** Of a role that is compared with this one. */
  readonly other: Permissions | undefined
  readonly isDisabled: boolean
  setActions(names: readonly string[], on: boolean): void
  setServices(names: readonly string[], on: boolean): void
}

/** The role's permissions on an entity as text: equal texts skip the render. */
const partOf = ({ actions, services }: Permissions, entity: EntityDeclaration): string =>
  [
    ...(services.includes(entity.name) ? ['*'] : []),
    ...[...VERBS, ...extraPermissions(entity)].filter(action => actions.includes(action + entity.name)),
  ].join()

const EVERYTHING = '*'
const has = (part: string, action: string) => part.split(',').includes(action)
const stateIn = (part: string, action: string) =>
  action !== EVERYTHING && has(part, EVERYTHING) ? 'inherited' : has(part, action) ? 'given' : 'none'
const isHeld = (part: string, action: string) => stateIn(part, action) !== 'none'

interface EntityRowProps {
  readonly entity: EntityDeclaration
  readonly saved: string
  readonly present: string
  readonly other: string | undefined
  readonly isDisabled: boolean
  setActions: PermissionControl['setActions']
  setServices: PermissionControl['setServices']
}

/** Rendered again only when its entity's permissions change. */
const EntityRow = memo((props: EntityRowProps) => {
  const { entity, saved, present, other, isDisabled, setActions, setServices } = props
  const { t } = useTranslation('shell')
  const label = useLabel()
  const { name } = entity
  const hint = t('role.inherited', { name: label.plural(name) })
  const box = (action: string, title: string, column: string) => {
    const isDifferent = other !== undefined && isHeld(other, action) !== isHeld(present, action)
    return (
      <PermissionBox
        label={`${title}: ${label.name(name)}`}
        state={stateIn(present, action)}
        isChanged={has(saved, action) !== has(present, action)}
        isDisabled={isDisabled}
        hint={hint}
        other={isDifferent && other !== undefined ? (isHeld(other, action) ? 'given' : 'none') : undefined}
        column={column}
        onChange={on => (action === EVERYTHING ? setServices([name], on) : setActions([action + name], on))}
      />
    )
  }
  return (
    <tr>
      <th scope="row">
        {label.plural(name)}
        <code>{name}</code>
      </th>
      <td>{box(EVERYTHING, t('role.everything'), 'everything')}</td>
      {VERBS.map(verb => (
        <td key={verb}>{box(verb, t(`role.${verb}`), verb)}</td>
      ))}
      <td>
        <div className="pl-more">
          {extraPermissions(entity).map(action => (
            <div key={action}>
              {box(action, label.action(name, action), `more-${action}`)}
              <span aria-hidden="true">{label.action(name, action)}</span>
            </div>
          ))}
        </div>
      </td>
    </tr>
  )
})

interface RowsProps {
  readonly group: PermissionGroup
  readonly isOpen: boolean
  readonly control: PermissionControl
  onToggle(id: string): void
}

const GroupRow = ({ group, isOpen, control, onToggle }: RowsProps) => {
  const { t } = useTranslation('shell')
  const { present, isDisabled, setActions, setServices } = control
  const title = t(`role.group.${group.id}`)
  const names = group.entities.map(({ name }) => name)
  const { held, all } = countOf(present, group.entities)
  const whole = names.filter(name => present.services.includes(name)).length
  const free = names.filter(name => !present.services.includes(name))
  const stateOf = (count: number): BoxState => (count === 0 ? 'none' : count === names.length ? 'given' : 'some')
  const box = (column: string, state: BoxState, onChange: (on: boolean) => void) => (
    <PermissionBox
      label={`${t(`role.${column}`)}: ${title}`}
      state={state}
      isChanged={false}
      isDisabled={isDisabled}
      hint={t('role.inherited', { name: title })}
      column={column}
      onChange={onChange}
    />
  )
  return (
    <tr data-group="">
      <th scope="rowgroup">
        <chakra.button
          type="button"
          aria-expanded={isOpen}
          display="inline-flex"
          alignItems="center"
          gap="2"
          minH="8"
          textAlign="start"
          fontWeight="semibold"
          focusVisibleRing="outside"
          borderRadius="sm"
          onClick={() => onToggle(group.id)}
        >
          {isOpen ? <ChevronDown size={15} aria-hidden="true" /> : <ChevronRight size={15} aria-hidden="true" />}
          <span>
            {title}{' '}
            <Text as="span" fontWeight="normal" color="fg.muted" fontVariantNumeric="tabular-nums">
              {t('role.held', { held, all })}
            </Text>
          </span>
        </chakra.button>
      </th>
      <td>{box('everything', stateOf(whole), on => setServices(names, on))}</td>
      {VERBS.map(verb => {
        const given = names.filter(name => grantOf(present, name, verb) !== 'none').length
        const state = free.length === 0 ? 'inherited' : stateOf(given)
        const verbs = free.map(name => verb + name)
        return <td key={verb}>{box(verb, state, on => setActions(verbs, on))}</td>
      })}
      <td />
    </tr>
  )
}

/** A heading with a box for each column, and the rows of its entities. */
export const PermissionRows = (props: RowsProps) => {
  const { group, isOpen, control } = props
  const { saved, present, other, isDisabled, setActions, setServices } = control
  return (
    <tbody>
      <GroupRow {...props} />
      {isOpen
        ? group.entities.map(entity => (
            <EntityRow
              key={entity.name}
              entity={entity}
              saved={partOf(saved, entity)}
              present={partOf(present, entity)}
              other={other === undefined ? undefined : partOf(other, entity)}
              isDisabled={isDisabled}
              setActions={setActions}
              setServices={setServices}
            />
          ))
        : null}
    </tbody>
  )
}

const DECLARED = Object.values<EntityDeclaration>(ENTITIES)

/** The words of a menu action: of the entity whose entry it shows, else of the page. */
export const useMenuActionLabel = () => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  return (action: string) => {
    const shown = DECLARED.find(({ place }) => place?.permission === action)
    return shown === undefined ? t(`role.menuaction.${action}`) : label.menu(shown.name)
  }
}

interface MenuActionsProps {
  readonly control: PermissionControl
  isShown(action: string, title: string): boolean
}

/** Permissions for side menu entries, with their API names. */
export const MenuActions = ({ control, isShown }: MenuActionsProps) => {
  const { t } = useTranslation('shell')
  const label = useMenuActionLabel()
  const shown = MENU_ACTIONS.filter(action => isShown(action, label(action)))
  if (shown.length === 0) return null
  return (
    <Box as="section" aria-label={t('role.menu')} mt="6">
      <Text as="h3" textStyle="title" mb="1">
        {t('role.menu')}
      </Text>
      <Text textStyle="secondary" color="fg.muted" mb="2">
        {t('role.menutext')}
      </Text>
      <SimpleGrid columns={{ base: 1, md: 2, xl: 3 }} columnGap="5">
        {shown.map(action => (
          <HStack key={action} gap="1" fontSize="sm">
            <PermissionBox
              label={label(action)}
              state={control.present.actions.includes(action) ? 'given' : 'none'}
              isChanged={control.saved.actions.includes(action) !== control.present.actions.includes(action)}
              isDisabled={control.isDisabled}
              column="menu"
              onChange={on => control.setActions([action], on)}
            />
            <Flex wrap="wrap" align="baseline" columnGap="1" minW="0">
              <span aria-hidden="true">{label(action)}</span>
              <Text as="code" textStyle="code" fontSize="xs" color="fg.muted">
                {action}
              </Text>
            </Flex>
          </HStack>
        ))}
      </SimpleGrid>
    </Box>
  )
}
