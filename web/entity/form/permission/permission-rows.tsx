import { chakra, HStack, Text } from '@chakra-ui/react'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { useLabel } from '#web/entity/label.ts'
import { PermissionBox } from './permission-box.tsx'
import type { PermissionGroup } from './permission-group.ts'
import { countOf, grantOf, moreOf, type Permissions, VERBS } from './permission-state.ts'

export interface PermissionControl {
  readonly saved: Permissions
  readonly present: Permissions
  readonly isDisabled: boolean
  setActions(names: readonly string[], on: boolean): void
  setServices(names: readonly string[], on: boolean): void
}

const CELL = { px: '2', h: { base: '48px', md: '40px' }, borderTopWidth: '1px', fontSize: 'sm' } as const
/** Stays while the columns scroll below it on a narrow screen. */
const FIRST = { position: 'sticky', left: '0', zIndex: '1', textAlign: 'start', px: '3' } as const

const isDifferent = ({ saved, present }: PermissionControl, kind: keyof Permissions, name: string): boolean =>
  saved[kind].includes(name) !== present[kind].includes(name)

const ActionBox = ({
  entity,
  action,
  title,
  control,
}: {
  readonly entity: string
  readonly action: string
  readonly title: string
  readonly control: PermissionControl
}) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const state = grantOf(control.present, entity, action)
  return (
    <PermissionBox
      label={`${title}: ${label.name(entity)}`}
      state={state}
      isChanged={isDifferent(control, 'actions', action + entity)}
      isDisabled={control.isDisabled || state === 'inherited'}
      {...(state === 'inherited' ? { hint: t('role.inherited', { name: label.plural(entity) }) } : {})}
      column={(VERBS as readonly string[]).includes(action) ? action : `more-${action}`}
      onChange={on => control.setActions([action + entity], on)}
    />
  )
}

const EntityRow = ({
  entity,
  control,
}: {
  readonly entity: EntityDeclaration
  readonly control: PermissionControl
}) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const { name } = entity
  return (
    <chakra.tr _hover={{ bg: 'bg.subtle' }}>
      <chakra.th scope="row" {...CELL} {...FIRST} bg="bg.surface" fontWeight="medium" minW={{ base: '44', md: '64' }}>
        <HStack gap="2" rowGap="0" flexWrap="wrap" align="baseline">
          {label.plural(name)}
          <Text as="code" textStyle="code" fontSize="xs" fontWeight="normal" color="fg.muted">
            {name}
          </Text>
        </HStack>
      </chakra.th>
      <chakra.td {...CELL}>
        <PermissionBox
          label={`${t('role.everything')}: ${label.name(name)}`}
          state={control.present.services.includes(name) ? 'given' : 'none'}
          isChanged={isDifferent(control, 'services', name)}
          isDisabled={control.isDisabled}
          column="everything"
          onChange={on => control.setServices([name], on)}
        />
      </chakra.td>
      {VERBS.map(verb => (
        <chakra.td key={verb} {...CELL}>
          <ActionBox entity={name} action={verb} title={t(`role.${verb}`)} control={control} />
        </chakra.td>
      ))}
      <chakra.td {...CELL} minW={{ base: '72', md: '80' }}>
        <HStack gap="3" rowGap="0" flexWrap="wrap">
          {moreOf(entity).map(action => (
            <HStack as="span" key={action} gap="1" whiteSpace="nowrap">
              <ActionBox entity={name} action={action} title={label.action(name, action)} control={control} />
              <Text as="span" textStyle="secondary" aria-hidden="true">
                {label.action(name, action)}
              </Text>
            </HStack>
          ))}
        </HStack>
      </chakra.td>
    </chakra.tr>
  )
}

interface RowsProps {
  readonly group: PermissionGroup
  readonly isOpen: boolean
  readonly control: PermissionControl
  onToggle(): void
}

/** A heading with a box for each column, and the rows of its entities. */
export const PermissionRows = ({ group, isOpen, control, onToggle }: RowsProps) => {
  const { t } = useTranslation('shell')
  const { entities } = group
  const title = t(`role.group.${group.id}`)
  const { held, all } = countOf(control.present, entities)
  const names = entities.map(({ name }) => name)
  const stateOf = (given: number) => (given === 0 ? 'none' : given === names.length ? 'given' : 'some')
  const whole = names.filter(name => control.present.services.includes(name))
  return (
    <tbody>
      <chakra.tr bg="bg.subtle">
        <chakra.th scope="rowgroup" {...CELL} {...FIRST} bg="bg.subtle">
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
            onClick={onToggle}
          >
            {isOpen ? <ChevronDown size={15} aria-hidden="true" /> : <ChevronRight size={15} aria-hidden="true" />}
            {title}
            <Text as="span" fontWeight="normal" color="fg.muted" fontVariantNumeric="tabular-nums">
              {t('role.held', { held, all })}
            </Text>
          </chakra.button>
        </chakra.th>
        <chakra.td {...CELL}>
          <PermissionBox
            label={`${t('role.everything')}: ${title}`}
            state={stateOf(whole.length)}
            isChanged={false}
            isDisabled={control.isDisabled}
            column="everything"
            onChange={on => control.setServices(names, on)}
          />
        </chakra.td>
        {VERBS.map(verb => {
          const free = names.filter(name => !control.present.services.includes(name))
          const given = names.filter(name => grantOf(control.present, name, verb) !== 'none')
          return (
            <chakra.td key={verb} {...CELL}>
              <PermissionBox
                label={`${t(`role.${verb}`)}: ${title}`}
                state={stateOf(given.length)}
                isChanged={false}
                isDisabled={control.isDisabled || free.length === 0}
                column={verb}
                onChange={on =>
                  control.setActions(
                    free.map(name => verb + name),
                    on,
                  )
                }
              />
            </chakra.td>
          )
        })}
        <chakra.td {...CELL} />
      </chakra.tr>
      {isOpen ? entities.map(entity => <EntityRow key={entity.name} entity={entity} control={control} />) : null}
    </tbody>
  )
}
