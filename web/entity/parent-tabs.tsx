import { ICONS } from 'virtual:icon/../schemas/entities/*.ts'
import { HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { type PlacedEntity, sectionAddress, tabsOf } from '#domain/place.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { RouterLink } from '#web/page/router-link.ts'
import { useLabel } from './label.ts'
import { ENTITY_PLACES } from './place.ts'

interface TabProps {
  readonly to: string
  readonly icon: string
  readonly label: string
  readonly active: boolean
  readonly count?: number | undefined
}

/** Centers the open tab when the tabs overflow. */
const keepInView = (tab: HTMLElement | null) => {
  const row = tab?.parentElement
  if (tab == null || row == null) return
  row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2
}

const Tab = ({ to, icon, label, active, count }: TabProps) => {
  const Glyph = ICONS[icon]
  return (
    <RouterLink
      to={to}
      {...(active ? { 'aria-current': 'page' as const, ref: keepInView } : {})}
      display="flex"
      alignItems="center"
      gap="2"
      flex="none"
      minH={{ base: '11', md: '9' }}
      px="3"
      fontSize="sm"
      fontWeight={active ? 'semibold' : 'normal'}
      color={active ? 'accent.fg' : 'fg.muted'}
      borderBottomWidth="2px"
      borderColor={active ? 'accent.solid' : 'transparent'}
      mb="-1px"
      _hover={{ color: active ? 'accent.fg' : 'fg' }}
      focusVisibleRing="inside"
    >
      {Glyph ? <Glyph size={15} strokeWidth={1.75} aria-hidden="true" /> : null}
      {label}
      {count === undefined ? null : (
        <Text as="span" textStyle="secondary" color="fg.subtle" fontVariantNumeric="tabular-nums">
          {count}
        </Text>
      )}
    </RouterLink>
  )
}

const ChildTab = ({ child, id, active }: { child: PlacedEntity; id: string; active: boolean }) => {
  const label = useLabel()
  const { name, icon, parent = '', single } = child
  const total = useQuery({
    queryKey: [name, 'count', parent, id],
    queryFn: async () =>
      (await http.get('/{entity}', { params: { entity: name }, query: { [parent]: id, size: 1 } })).total,
    enabled: single !== true,
  }).data
  const to = sectionAddress(child, id)
  return to === undefined ? null : <Tab to={to} icon={icon} label={label.plural(name)} active={active} count={total} />
}

interface Props {
  readonly entity: string
  readonly id: string
  /** The child whose list is open, or the page; without it the form of the thing itself is. */
  readonly active?: string
}

/** Tabs of a thing that has lists within it or other pages: its form, one per child with its count, and the pages. */
export const ParentTabs = ({ entity, id, active }: Props) => {
  const label = useLabel()
  const { can } = useSession()
  const children = tabsOf(ENTITY_PLACES, entity).filter(({ name }) => can(`read${name}`))
  const own = ENTITY_PLACES.get(entity)
  const pages = (own?.pages ?? []).filter(({ permission }) => permission === undefined || can(permission))
  if (own === undefined || children.length + pages.length === 0) return null
  return (
    <HStack
      as="nav"
      aria-label={label.name(entity)}
      gap="1"
      mb="4"
      borderBottomWidth="1px"
      overflowX="auto"
      scrollbarWidth="none"
    >
      <Tab to={`/${entity}/${id}`} icon={own.icon} label={label.name(entity)} active={active === undefined} />
      {children.map(child => (
        <ChildTab key={child.name} child={child} id={id} active={child.name === active} />
      ))}
      {pages.map(({ key, icon }) => (
        <Tab
          key={key}
          to={`/${entity}/${key}/${id}`}
          icon={icon}
          label={label.page(entity, key)}
          active={key === active}
        />
      ))}
    </HStack>
  )
}
