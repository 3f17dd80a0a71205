import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const python = [
  ['python3', '-m', 'venv', '--help'],
  ['python3', '-m', 'ensurepip', '--version'],
];
/** How a client in Python is installed and run. */
const inPython = {
  manifest: ['requirements.txt'],
  install: (folder, cache) => [
    ['python3', '-m', 'venv', join(cache, 'venv')],
    [join(cache, 'venv/bin/pip'), 'install', '-q', '-r', join(folder, 'requirements.txt')],
  ],
  run: (folder, cache) => [[join(cache, 'venv/bin/python'), '-B', join(folder, 'peer.py')]],
};

/**
 * The peers by language: what must be installed (a command that succeeds), the files that pin the client, and the commands
 * that install it into the cache folder and run the program. `folder` is that of the name unless it is stated. A peer with `isOptional` is skipped where its registry does not
 * give it.
 */
export const languages = {
  java: {
    client: 'keycloak-admin-client 15.0.2',
    needs: [
      ['java', '-version'],
      ['javac', '-version'],
      ['mvn', '--version'],
    ],
    manifest: ['pom.xml'],
    install: (folder, cache) => [
      [
        'mvn',
        '-q',
        '-B',
        '-f',
        join(folder, 'pom.xml'),
        'dependency:copy-dependencies',
        `-DoutputDirectory=${join(cache, 'lib')}`,
      ],
    ],
    run: (folder, cache) => {
      const [libraries, classes, source] = [join(cache, 'lib', '*'), join(cache, 'classes'), join(folder, 'src')];
      const files = readdirSync(source).map((file) => join(source, file));
      return [
        ['javac', '-nowarn', '-d', classes, '-cp', libraries, ...files],
        ['java', '-cp', `${classes}:${libraries}`, 'Peer'],
      ];
    },
  },
  python: {
    client: 'python-keycloak 7.1.1',
    needs: python,
    ...inPython,
  },
  saml: {
    client: 'pysaml2 7.5.5, a service provider and an identity provider',
    needs: [...python, ['xmlsec1', '--version']],
    ...inPython,
  },
  oauth: {
    client: 'Authlib 1.9.10, joserfc 1.8.0 and PyJWT 2.15.1, a client and a resource server',
    needs: python,
    ...inPython,
  },
  scim: {
    client: 'scim2-tester 0.5.2, which checks SCIM servers',
    needs: [...python, ['python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 11))']],
    ...inPython,
  },
  node: {
    client: '@keycloak/keycloak-admin-client 26.7.4 and keycloak-admin 1.14.22',
    needs: [['npm', '--version']],
    manifest: ['package.json', 'package-lock.json'],
    install: (folder, cache) => [
      ['cp', join(folder, 'package.json'), join(folder, 'package-lock.json'), cache],
      ['npm', 'ci', '--silent', '--ignore-scripts'],
    ],
    run: (folder, cache) =>
      ['@keycloak/keycloak-admin-client', 'keycloak-admin'].map((name) => [
        process.execPath,
        join(folder, 'peer.mjs'),
        join(cache, 'node_modules', name, 'lib/index.js'),
      ]),
  },
  graphql: {
    client: 'Relay 21, Apollo Client 4.3, urql 6, GraphQL Code Generator 7, gql.tada 1.11',
    folder: '../clients-of-graphql',
    needs: [['npm', '--version']],
    manifest: ['package.json', 'package-lock.json'],
    install: (folder, cache) => [
      ['cp', join(folder, 'package.json'), join(folder, 'package-lock.json'), cache],
      ['npm', 'ci', '--silent', '--ignore-scripts'],
    ],
    run: (folder, cache) => [
      // the Relay compiler writes the texts only of documents that it compiles anew
      ['rm', '-rf', join(cache, 'relay')],
      // the programs find the clients, and the compilers write, beside their copies
      ['cp', '-r', `${folder}/.`, join(folder, '../../schema/schema.graphql'), cache],
      [join(cache, 'node_modules/.bin/relay-compiler')],
      [join(cache, 'node_modules/.bin/graphql-codegen'), '--config', 'codegen.ts'],
      [join(cache, 'node_modules/.bin/gql.tada'), 'generate-output'],
      [join(cache, 'node_modules/.bin/tsc'), '-p', '.'],
      [process.execPath, '--test', 'relay.mjs', 'apollo.mjs', 'urql.mjs'],
    ],
  },
  go: {
    client: 'gocloak 13.9.0',
    // many networks let no module proxy through
    isOptional: true,
    needs: [['go', 'version']],
    manifest: ['go.mod', 'go.sum'],
    install: (folder) => [['go', 'mod', 'download', '-C', folder]],
    run: (folder, cache) => [['go', 'build', '-C', folder, '-o', join(cache, 'peer'), '.'], [join(cache, 'peer')]],
  },
  'gocloak-suite': {
    client: 'the tests of gocloak 13.9.0',
    folder: 'go',
    isOptional: true,
    needs: [['go', 'version']],
    manifest: ['go.mod', 'go.sum'],
    install: (folder) => [['go', 'mod', 'download', '-C', folder]],
    run: (folder, cache) => [[process.execPath, join(folder, 'suite.mjs'), cache]],
  },
};
