import { Box, Checkbox, chakra, HStack, Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { MENU_ACTIONS } from '#domain/people/permission.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { useEntityTexts, useLabel } from '#web/entity/label.ts'
import type { SectionControlProps } from './section-control-props.ts'

const VERBS = ['read', 'create', 'update', 'delete'] as const

const DECLARED = Object.values<EntityDeclaration>(ENTITIES)
/** Entities with permissions of their own. */
const GRANTED = DECLARED.filter(({ rights }) => rights === undefined)
const WITH_ACTIONS = GRANTED.filter(({ actions }) => Object.keys(actions).length > 0).map(({ name }) => name)

const CELL = { px: '3', h: '44px', textAlign: 'start', borderTopWidth: '1px', fontSize: 'sm' } as const

/** Stays while the verbs scroll below it on a narrow screen. */
const FIRST = { position: 'sticky', left: '0', bg: 'bg.surface', zIndex: '1' } as const

interface CheckProps {
  readonly label: string
  readonly checked: boolean
  readonly disabled: boolean
  onChange(checked: boolean): void
}

const Check = ({ label, checked, disabled, onChange }: CheckProps) => (
  <Checkbox.Root
    checked={checked}
    disabled={disabled}
    onCheckedChange={change => onChange(change.checked === true)}
    display="flex"
    w="fit-content"
  >
    <Checkbox.HiddenInput aria-label={label} />
    <Checkbox.Control />
  </Checkbox.Root>
)

const stringsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

/** Sorted, so that a permission that is taken away and given again is no change. */
const switched = (names: readonly string[], name: string, on: boolean): readonly string[] =>
  on ? [...new Set([...names, name])].sort() : names.filter(one => one !== name)

interface Selection {
  readonly actions: readonly string[]
  readonly services: readonly string[]
  readonly disabled: boolean
  onAction(name: string, on: boolean): void
  onService(name: string, on: boolean): void
}

const EntityRow = ({ entity, selection }: { readonly entity: EntityDeclaration; readonly selection: Selection }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const { actions, services, disabled, onAction, onService } = selection
  const whole = services.includes(entity.name)
  const box = (action: string, title: string) => (
    <Check
      label={`${title}: ${label.name(entity.name)}`}
      checked={whole || actions.includes(action + entity.name)}
      disabled={disabled || whole}
      onChange={on => onAction(action + entity.name, on)}
    />
  )
  return (
    <chakra.tr _hover={{ bg: 'bg.subtle' }}>
      <chakra.th scope="row" {...CELL} {...FIRST} whiteSpace="nowrap" fontWeight="medium">
        {label.plural(entity.name)}
      </chakra.th>
      <chakra.td {...CELL} bg={whole ? 'accent.subtle' : 'transparent'}>
        <Check
          label={`${t('role.everything')}: ${label.name(entity.name)}`}
          checked={whole}
          disabled={disabled}
          onChange={on => onService(entity.name, on)}
        />
      </chakra.td>
      {VERBS.map(verb => (
        <chakra.td key={verb} {...CELL}>
          {box(verb, t(`role.${verb}`))}
        </chakra.td>
      ))}
      <chakra.td {...CELL} minW="360px">
        <HStack gap="4" rowGap="2" flexWrap="wrap" py="1.5">
          {Object.keys(entity.actions).map(action => (
            <HStack as="span" key={action} gap="1.5" whiteSpace="nowrap">
              {box(action, label.action(entity.name, action))}
              <Text as="span" textStyle="secondary" aria-hidden="true">
                {label.action(entity.name, action)}
              </Text>
            </HStack>
          ))}
        </HStack>
      </chakra.td>
    </chakra.tr>
  )
}

/** The words of a menu action: of the entity whose entry it shows, else of the page. */
const useMenuActionLabel = () => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  return (action: string) => {
    const shown = DECLARED.find(({ place }) => place?.permission === action)
    return shown === undefined ? t(`role.menuaction.${action}`) : label.menu(shown.name)
  }
}

const MenuActions = ({ selection }: { readonly selection: Selection }) => {
  const { t } = useTranslation('shell')
  const label = useMenuActionLabel()
  return (
    <Box as="section" aria-label={t('role.menu')} mt="6">
      <Text as="h3" textStyle="title" mb="1">
        {t('role.menu')}
      </Text>
      <Text textStyle="secondary" color="fg.muted" mb="3">
        {t('role.menutext')}
      </Text>
      <HStack gap="5" rowGap="3" flexWrap="wrap">
        {MENU_ACTIONS.map(action => (
          <HStack key={action} gap="2" fontSize="sm">
            <Check
              label={label(action)}
              checked={selection.actions.includes(action)}
              disabled={selection.disabled}
              onChange={on => selection.onAction(action, on)}
            />
            <span aria-hidden="true">{label(action)}</span>
          </HStack>
        ))}
      </HStack>
    </Box>
  )
}

/** The fields `services` and `actions` of a role: one row per entity, and the menu actions. */
export const PermissionMatrix = ({ values, readOnly, onChange }: SectionControlProps) => {
  const { t } = useTranslation('shell')
  useEntityTexts(WITH_ACTIONS)
  const actions = stringsOf(values.actions)
  const services = stringsOf(values.services)
  const selection: Selection = {
    actions,
    services,
    disabled: readOnly,
    onAction: (name, on) => onChange('actions', switched(actions, name, on)),
    onService: (name, on) => onChange('services', switched(services, name, on)),
  }
  const columns = [t('role.thing'), t('role.everything'), ...VERBS.map(verb => t(`role.${verb}`)), t('role.more')]
  return (
    <Box data-field="actions">
      <Box
        borderWidth="1px"
        borderRadius="lg"
        bg="bg.surface"
        overflowX="auto"
        tabIndex={0}
        role="region"
        aria-label={t('role.matrix')}
        focusVisibleRing="outside"
      >
        <chakra.table w="100%" borderCollapse="separate" borderSpacing="0">
          <chakra.thead bg="bg">
            <tr>
              {columns.map(title => (
                <chakra.th
                  key={title}
                  scope="col"
                  h="36px"
                  px="3"
                  textAlign="start"
                  textStyle="label"
                  color="fg.muted"
                  whiteSpace="nowrap"
                >
                  {title}
                </chakra.th>
              ))}
            </tr>
          </chakra.thead>
          <tbody>
            {GRANTED.map(entity => (
              <EntityRow key={entity.name} entity={entity} selection={selection} />
            ))}
          </tbody>
        </chakra.table>
      </Box>
      <MenuActions selection={selection} />
    </Box>
  )
}
