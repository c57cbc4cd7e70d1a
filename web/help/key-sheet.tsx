import { Box, chakra, Kbd } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { Modal } from '#web/components/modal.tsx'
import { KEYS, type KeySection } from './keys.ts'

/** Parts with a namespace that has the texts of their keys. */
const NAMESPACES: Partial<Readonly<Record<KeySection, string>>> = {
  designer: 'designer',
  history: 'designer',
  desk: 'desk',
}
const SECTIONS = Object.keys(KEYS) as readonly KeySection[]

const Section = ({ section }: { readonly section: KeySection }) => {
  const { t } = useTranslation(['help', 'designer', 'desk'])
  const ns = NAMESPACES[section]
  const textOf = (id: string) => (ns === undefined ? t(`keys.${section}.${id}`) : t(`keys.${id}`, { ns }))
  return (
    <Box as="section" mt="3">
      <chakra.h3 textStyle="card" mb="1.5">
        {t(`keys.section.${section}`)}
      </chakra.h3>
      <chakra.dl
        display="grid"
        gridTemplateColumns={{ base: '1fr', md: '1fr 1fr', lg: '1fr 1fr 1fr' }}
        columnGap="6"
        m="0"
      >
        {KEYS[section].map(({ id, shown }) => (
          <chakra.div
            key={id}
            display="flex"
            alignItems="center"
            justifyContent="space-between"
            gap="3"
            minH="9"
            py="1"
            borderTopWidth="1px"
            fontSize="sm"
          >
            <dt>{textOf(id)}</dt>
            <chakra.dd display="flex" gap="1" m="0">
              {shown.map(key => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </chakra.dd>
          </chakra.div>
        ))}
      </chakra.dl>
    </Box>
  )
}

/** Parts of the open page, shown first. */
const firstSections = (path: string): readonly KeySection[] => {
  if (path === '/desk') return ['desk']
  return /^\/(?:designer|dialogtask\/designer)\//u.test(path) ? ['designer', 'history'] : []
}

interface Props {
  /** Of the open page. */
  readonly path: string
  onClose(): void
}

/** Every key of the console. */
export const KeySheet = ({ path, onClose }: Props) => {
  const { t } = useTranslation('help')
  const first = firstSections(path)
  return (
    <Modal onClose={onClose} title={t('keys.title')} width={960}>
      {[...first, ...SECTIONS.filter(section => !first.includes(section))].map(section => (
        <Section key={section} section={section} />
      ))}
    </Modal>
  )
}
