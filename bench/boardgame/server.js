// node server.js PORT
process.env.NODE_ENV = 'production';
const { Server } = require('boardgame.io/server');
const doors = require('./doors');

const port = Number(process.argv[2]);
const server = Server({ games: [doors], origins: ['*'] });
server.run({ port, callback: () => console.log(`Listening on http://127.0.0.1:${port}`) });
