import { Box, Button, chakra, Flex, HStack, Text } from '@chakra-ui/react'
import { ArrowUp } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useInstance } from '#web/api/early-read.ts'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { BOTTOM_INSET } from '#web/notice/notice.ts'
import { usePageTitle } from '#web/shell/use-instance-tab.ts'
import { Breadcrumbs, useBreadcrumbs } from './breadcrumbs.tsx'

const TOP_AFTER = 300

interface Props {
  readonly title: string
  /** Beside the title: a count or a status. */
  readonly beside?: ReactNode
  /** Under the title. */
  readonly purpose?: string
  /** Right of the title; one primary at most. */
  readonly actions?: ReactNode
  readonly icon?: ReactNode
  /** Name of what is open, for the trail. */
  readonly name?: string
  readonly trail?: boolean
  /** Widest, in pixels; lists take all there is. */
  readonly width?: number
  /** Stays at the bottom. */
  readonly bar?: ReactNode
  /** Beside the page, with its own scrolling. */
  readonly aside?: ReactNode
  readonly band?: ReactNode
  readonly children: ReactNode
}

const Footer = () => {
  const { name, version } = useInstance()
  return (
    <chakra.footer mt="auto" pt="6">
      <HStack h="32px" borderTopWidth="1px" justify="space-between" color="fg.subtle" fontSize="2xs">
        <span>{name}</span>
        <span>{version ? `Parley ${version}` : 'Parley'}</span>
      </HStack>
    </chakra.footer>
  )
}

const ToTop = () => {
  const { t } = useTranslation('shell')
  return (
    <Button
      aria-label={t('top')}
      position="absolute"
      bottom={{ base: '20', md: `calc(var(${BOTTOM_INSET}, 0px) + 20px)` }}
      right="5"
      size="lg"
      px="0"
      borderRadius="full"
      boxShadow="raised"
      onClick={() => document.getElementById('page-scroll')?.scrollTo({ top: 0, behavior: 'smooth' })}
    >
      <ArrowUp size={18} />
    </Button>
  )
}

type HeadingProps = Pick<Props, 'title' | 'beside' | 'actions' | 'icon'> & { readonly purpose: Props['purpose'] }

const Heading = ({ title, beside, purpose, actions, icon }: HeadingProps) => (
  <HStack mb={{ base: '3', md: '4' }} gap="3" minH="8" flexWrap="wrap" rowGap="2">
    {icon}
    <Box minW="0" flex={{ base: '1 1 60%', md: '1' }}>
      <HStack gap="3" flexWrap="wrap" rowGap="1">
        <chakra.h1 textStyle="page" overflowWrap="anywhere">
          {title}
        </chakra.h1>
        {beside}
        {purpose ? (
          <Text textStyle="dense" color="fg.muted">
            {purpose}
          </Text>
        ) : null}
      </HStack>
    </Box>
    {actions ? (
      <HStack gap="2" flexWrap="wrap">
        {actions}
      </HStack>
    ) : null}
  </HStack>
)

/** Page layout: breadcrumb, title, actions, content, side and bottom areas. */
export const Page = ({
  title,
  beside,
  purpose,
  actions,
  icon,
  name,
  trail = true,
  width,
  bar,
  aside,
  band,
  children,
}: Props) => {
  const [far, setFar] = useState(false)
  usePageTitle(name ?? title)
  const crumbs = useBreadcrumbs(name)
  return (
    <Flex flex="1" minH="0" minW="0">
      <Flex direction="column" flex="1" minW="0" position="relative">
        {band}
        <Box
          id="page-scroll"
          flex="1"
          minH="0"
          overflow="auto"
          onScroll={event => setFar(event.currentTarget.scrollTop > TOP_AFTER)}
        >
          <Flex direction="column" minH="100%" px={{ base: '3', md: '4', lg: '6' }} pt={{ base: '3', md: '4' }}>
            <Box w="100%" style={{ maxWidth: width }}>
              {trail ? <Breadcrumbs crumbs={crumbs} /> : null}
              <Heading {...{ title, beside, purpose, actions, icon }} />
              {/* Keeps breadcrumb and heading while texts or code load. */}
              <Suspense fallback={<RowsSkeleton />}>{children}</Suspense>
            </Box>
            <Footer />
          </Flex>
        </Box>
        {far ? <ToTop /> : null}
        <Suspense>{bar}</Suspense>
      </Flex>
      <Suspense>{aside}</Suspense>
    </Flex>
  )
}
